r"""What runs inside a peer's interpreter: questions in, the peer's own answers out.

Rules of this file: the standard library and the peer at hand, nothing of exactdp, so that any
interpreter from Python 3.9 can run it as a script; a peer is called as its documentation calls it;
what it answers is passed on unchanged; whatever it raises is its answer.

Theory of operation: the protocol is that of ``docs/accountants.md``, one line of JSON for a
question and one for the answer, until standard input ends. What a peer prints is kept out of the
answers.
Accountants that know pure mechanisms only are asked about randomized responses; where a parameter
has to be translated (a probability for an ε), it is rounded so that the randomized response leaks
no less than the ε asked about.
"""

from __future__ import annotations

import json
import math
import os
import platform
import runpy
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, NoReturn

MOST_EXPANDED: Final = 10**6
_DIGITS: Final = 50
_SLACK: Final = Decimal("1e-40")
_ERROR_LENGTH: Final = 200
_NOT_SUPPORTED: Final = "UnsupportedEventError"
"""What dp-accounting raises where an event does not fit its neighbours."""
_DELTA_ERROR: Final = 1e-12

Reported = Mapping[str, Any]
Call = Callable[[], Reported]


class PeerRefusalError(Exception):
    """The peer has no way to express the question."""


@dataclass(frozen=True)
class PeerQuestion:
    """Mechanisms, and a δ for which ε is sought or an ε for which δ is sought.

    Attributes:
        groups: triples (ε, δ, count).
        delta: the global δ, or None.
        epsilon: the global ε, or None.
        events: a tree of dp-accounting's events, where the ledger came as one; else None.
        stated: whether the question is about these events, and not about parameters of them.
        neighbouring: which inputs are neighbours, as a ledger names them.
        entries: the mechanisms as they stand in the line, where (ε, δ) do not describe all; else
            empty.
    """

    groups: list[tuple[float, float, int]]
    delta: float | None = None
    epsilon: float | None = None
    events: Any = None
    stated: bool = False
    entries: Sequence[Mapping[str, Any]] = ()
    neighbouring: str = "unspecified"

    @staticmethod
    def of(data: Mapping[str, Any]) -> PeerQuestion:
        """Read the question of a line."""
        known = [each for each in data["mechanisms"] if "epsilon" in each]
        groups = [(float(m["epsilon"]), float(m["delta"]), int(m["count"])) for m in known]
        entries = data["mechanisms"] if len(known) < len(data["mechanisms"]) else ()
        delta, epsilon = (
            None if data.get(key) is None else float(data[key]) for key in ("delta", "epsilon")
        )
        stated, events = bool(data.get("stated")), data.get("events")
        neighbouring = str(data.get("neighbouring", "unspecified"))
        return PeerQuestion(groups, delta, epsilon, events, stated, entries, neighbouring)

    def expanded(self) -> list[tuple[float, float]]:
        """The pairs (ε, δ), one for each mechanism."""
        total = sum(count for _, _, count in self.groups)
        if total > MOST_EXPANDED:
            _refuse(f"{total} mechanisms, which it takes one by one: more than {MOST_EXPANDED}")
        return [(e, d) for e, d, count in self.groups for _ in range(count)]

    def pure(self) -> list[tuple[float, int]]:
        """The pairs (ε, count) with ε > 0, of pure mechanisms."""
        if any(delta for _, delta, _ in self.groups):
            _refuse("mechanisms with δ > 0")
        return [(e, count) for e, _, count in self.groups if e > 0]

    def ask(
        self, of_delta: Callable[[float], object], of_epsilon: Callable[[float], object]
    ) -> Reported:
        """Ask a composed object for the ε at δ, or the δ at ε."""
        if self.epsilon is not None:
            return _number("delta", of_epsilon(self.epsilon))
        return _number("epsilon", of_delta(self._delta()))

    def _delta(self) -> float:
        return 0.0 if self.delta is None else self.delta

    def delta_asked(self) -> float:
        """The global δ, of an accountant that finds no δ for an ε."""
        if self.epsilon is not None:
            _refuse("a question for δ at a given ε")
        return self._delta()


def dp_accounting_pld(question: PeerQuestion, mesh: float) -> Call:
    """Privacy loss distributions from (ε, δ) parameters; groups by ``self_compose``."""
    from dp_accounting.pld import common  # noqa: PLC0415 (the peer)
    from dp_accounting.pld import privacy_loss_distribution as pld  # noqa: PLC0415 (the peer)

    def call() -> Reported:
        total = pld.identity(value_discretization_interval=mesh)
        for epsilon, delta, count in question.groups:
            part = pld.from_privacy_parameters(
                common.DifferentialPrivacyParameters(epsilon, delta),
                value_discretization_interval=mesh,
            )
            total = total.compose(part.self_compose(count))
        return question.ask(total.get_epsilon_for_delta, total.get_delta_for_epsilon)

    return call


def dp_accounting_rdp(question: PeerQuestion) -> Call:
    """The RDP accountant over events of binary randomized response."""
    from dp_accounting import dp_event, privacy_accountant, rdp  # noqa: PLC0415 (the peer)

    relation = privacy_accountant.NeighboringRelation.REPLACE_ONE
    event = _randomized_responses(dp_event, question)
    return partial(_account, rdp.RdpAccountant(neighboring_relation=relation), event, question)


def dp_accounting_events(question: PeerQuestion) -> Call:
    """The PLD accountant over events: those of the ledger, else binary randomized responses."""
    from dp_accounting import dp_event, pld, privacy_accountant  # noqa: PLC0415 (the peer)

    relation = privacy_accountant.NeighboringRelation.REPLACE_ONE
    if question.events is None:
        event, basis = _randomized_responses(dp_event, question), "composition"
    else:
        event = _event(dp_event, question.events)
        basis = "composition" if question.stated else "finer-structure"
        relation = getattr(privacy_accountant.NeighboringRelation, _relation(question))
    accountant = pld.PLDAccountant(neighboring_relation=relation)
    return lambda: {**_account(accountant, event, question), "basis": basis}


def _relation(question: PeerQuestion) -> str:
    """What the accountant calls the neighbours of a question about events."""
    known = {"add-remove-one": "ADD_OR_REMOVE_ONE", "replace-one": "REPLACE_ONE"}
    kinds = set(_leaves(question.events)) - {"NoOpDpEvent"}
    if "RandomizedResponseDpEvent" in kinds and question.neighbouring == "unspecified":
        _refuse("randomized response beside events that are about other neighbours")
    return known.get(question.neighbouring, "ADD_OR_REMOVE_ONE")


def _account(accountant: Any, event: Any, question: PeerQuestion) -> Reported:  # noqa: ANN401 (a peer's)
    accountant.compose(event)
    return question.ask(accountant.get_epsilon, accountant.get_delta)


def _randomized_responses(dp_event: Any, question: PeerQuestion) -> Any:  # noqa: ANN401 (a peer's)
    return dp_event.ComposedDpEvent(
        [
            dp_event.SelfComposedDpEvent(
                dp_event.RandomizedResponseDpEvent(noise(epsilon), 2), count
            )
            for epsilon, count in question.pure()
        ]
    )


def _event(dp_event: Any, tree: Mapping[str, Any]) -> Any:  # noqa: ANN401 (a peer's)
    """The event that a tree of names and fields states."""
    fields = {
        key: [_event(dp_event, each) if isinstance(each, dict) else each for each in value]
        if isinstance(value, list)
        else _event(dp_event, value)
        if isinstance(value, dict)
        else value
        for key, value in tree.items()
        if key not in ("module_name", "class_name")
    }
    make = getattr(dp_event, tree["class_name"], None)
    if make is None:
        _refuse(f"{tree['class_name']}, which this version does not have")
    return make(**fields)


def _leaves(tree: Mapping[str, Any]) -> list[str]:
    inner = [*tree.get("events", ()), *([tree["event"]] if "event" in tree else [])]
    return [name for each in inner for name in _leaves(each)] if inner else [tree["class_name"]]


def prv_accountant(question: PeerQuestion, error: float) -> Call:
    """Privacy random variables; the upper end for the errors asked for, δ/1000 in δ."""
    from prv_accountant import PRVAccountant  # noqa: PLC0415 (the peer)
    from prv_accountant.privacy_random_variables import (  # noqa: PLC0415 (the peer)
        ApproximateDPMechanism,
        PureDPMechanism,
    )

    def call() -> Reported:
        counts = [count for _, _, count in question.groups]
        solver = PRVAccountant(
            prvs=[
                ApproximateDPMechanism(e, d) if d else PureDPMechanism(e)
                for e, d, _ in question.groups
            ],
            eps_error=error,
            delta_error=(question.delta or 0) / 1000 or _DELTA_ERROR,
            max_self_compositions=counts,
        )
        return question.ask(
            lambda delta: solver.compute_epsilon(delta, counts)[2],
            lambda epsilon: solver.compute_delta(epsilon, counts)[2],
        )

    return call


def autodp_kov(question: PeerQuestion) -> Call:
    """``DP_acct``: the better of basic, advanced and Kairouz–Oh–Viswanath composition."""
    from autodp.dp_acct import DP_acct  # noqa: PLC0415 (the peer)

    def call() -> Reported:
        accountant = DP_acct()
        for epsilon, delta in question.expanded():
            accountant.update_DPlosses(epsilon, delta)
        return _number("epsilon", accountant.get_eps(question.delta_asked()))

    return call


def autodp_composed(question: PeerQuestion, composer: str, **options: bool) -> Call:
    """Randomized responses under one of autodp's composers."""
    from autodp import mechanism_zoo, transformer_zoo  # noqa: PLC0415 (the peer)

    def call() -> Reported:
        groups = question.pure()
        parts = [mechanism_zoo.RandresponseMechanism(truth(e), **options) for e, _ in groups]
        composed = getattr(transformer_zoo, composer)()(parts, [count for _, count in groups])
        return question.ask(composed.get_approxDP, composed.get_approx_delta)

    return call


def diffprivlib_total(question: PeerQuestion) -> Call:
    """``BudgetAccountant.total``, with all that δ leaves as its slack."""
    from diffprivlib.accountant import BudgetAccountant  # noqa: PLC0415 (the peer)

    def call() -> Reported:
        epsilon, delta = BudgetAccountant().total(
            spent_budget=question.expanded(), slack=slack(question)
        )
        return {**_number("epsilon", epsilon), **_number("delta", delta)}

    return call


def opendp_basic(question: PeerQuestion) -> Call:
    """Basic composition of approximate differential privacy."""
    import opendp.prelude as dp  # noqa: PLC0415 (the peer)

    dp.enable_features("contrib", "honest-but-curious")

    def call() -> Reported:
        compose = getattr(dp.c, "make_adaptive_composition", None)
        compose = compose or dp.c.make_sequential_composition
        composed = compose(
            dp.atom_domain(T=bool),
            dp.discrete_distance(),
            output_measure=dp.approximate(dp.max_divergence()),
            d_in=1,
            d_mids=question.expanded(),
        )
        epsilon, delta = composed.map(1)
        return {**_number("epsilon", epsilon), **_number("delta", delta)}

    return call


def opendp_zcdp(question: PeerQuestion) -> Call:
    """Randomized responses as zCDP mechanisms, composed and converted back."""
    import opendp.prelude as dp  # noqa: PLC0415 (the peer)

    dp.enable_features("contrib", "honest-but-curious")

    def call() -> Reported:
        parts = [
            dp.c.make_pureDP_to_zCDP(dp.m.make_randomized_response_bool(prob=truth(e)))
            for e, _ in PeerQuestion([(e, 0.0, n) for e, n in question.pure()]).expanded()
        ]
        profile = dp.c.make_zCDP_to_approxDP(dp.c.make_composition(parts)).map(1)
        return question.ask(profile.epsilon, profile.delta)

    return call


def smartnoise_odometer(question: PeerQuestion) -> Call:
    """``Odometer``: equal mechanisms; it chooses its own slack, half the δ of one of them."""
    from snsql.sql.odometer import Odometer  # noqa: PLC0415 (the peer)
    from snsql.sql.privacy import Privacy  # noqa: PLC0415 (the peer)

    if len(question.groups) != 1:
        _refuse("mechanisms of different parameters")

    def call() -> Reported:
        [(epsilon, delta, count)] = question.groups
        odometer = Odometer(Privacy(epsilon=epsilon, delta=delta))
        odometer.spend(count)
        return _pair(odometer.spent)

    return call


def smartnoise_heterogeneous(question: PeerQuestion) -> Call:
    """``OdometerHeterogeneous``, whose slack is half the δ that it is made with."""
    from snsql.sql.odometer import OdometerHeterogeneous  # noqa: PLC0415 (the peer)
    from snsql.sql.privacy import Privacy  # noqa: PLC0415 (the peer)

    def call() -> Reported:
        odometer = OdometerHeterogeneous(Privacy(epsilon=1.0, delta=2 * slack(question)))
        for epsilon, delta in question.expanded():
            odometer.spend(Privacy(epsilon=epsilon, delta=delta))
        return _pair(odometer.spent)

    return call


TASKS: Final[Mapping[str, Callable[[PeerQuestion], Call]]] = {
    **{f"dp-accounting/pld-{m:.0e}".replace("e-0", "e-"): partial(dp_accounting_pld, mesh=m)
       for m in (1e-3, 1e-4, 1e-5)},
    "dp-accounting/rdp": dp_accounting_rdp,
    "dp-accounting/events": dp_accounting_events,
    "prv-accountant/0.1": partial(prv_accountant, error=0.1),
    "prv-accountant/1e-3": partial(prv_accountant, error=1e-3),
    "autodp/kov": autodp_kov,
    "autodp/rdp": partial(autodp_composed, composer="Composition"),
    "autodp/afa": partial(autodp_composed, composer="ComposeAFA", RDP_off=True, phi_off=False),
    "diffprivlib/total": diffprivlib_total,
    "opendp/basic": opendp_basic,
    "opendp/zcdp": opendp_zcdp,
    "smartnoise-sql/odometer": smartnoise_odometer,
    "smartnoise-sql/heterogeneous": smartnoise_heterogeneous,
}  # fmt: skip


def slack(question: PeerQuestion) -> float:
    """What δ leaves for composition once the mechanisms' own δ are paid; in doubles, as a user."""
    spent = math.fsum(count * math.log1p(-delta) for _, delta, count in question.groups)
    return max(0.0, -math.expm1(math.log1p(-question.delta_asked()) - spent))


def truth(epsilon: float) -> float:
    """A probability of the truth not below e^ε/(1 + e^ε), and next to it."""
    with localcontext() as context:
        context.prec = _DIGITS
        exact = 1 / (1 + (-Decimal(epsilon)).exp()) * (1 + _SLACK)
        value = float(exact)
        if Decimal(value) < exact:
            value = math.nextafter(value, math.inf)
    return value if value < 1 else _refuse(f"ε = {epsilon!r} as a probability below 1")


def noise(epsilon: float) -> float:
    """A noise parameter of binary randomized response not above 2/(1 + e^ε), and next to it."""
    with localcontext() as context:
        context.prec = _DIGITS
        exact = 2 / (1 + Decimal(epsilon).exp()) * (1 - _SLACK)
        value = float(exact)
        if Decimal(value) > exact:
            value = math.nextafter(value, 0.0)
    return value if value > 0 else _refuse(f"ε = {epsilon!r} as a noise parameter above 0")


def _pair(spent: tuple[object, object]) -> Reported:
    return {**_number("epsilon", spent[0]), **_number("delta", spent[1])}


def _number(name: str, value: Any) -> Reported:  # noqa: ANN401 (whatever a peer calls a number)
    return {name: float(value)}


def _refuse(what: str) -> NoReturn:
    raise PeerRefusalError(what)


def _versions(name: str) -> dict[str, str]:
    """The versions of the peer, of numpy, on whose arithmetic most of them rest, and of Python."""
    found = {"Python": platform.python_version()}
    for package in (name.partition("/")[0], "numpy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _about_noise(name: str, question: PeerQuestion) -> Reported:
    """What an accountant says of mechanisms by their noise."""
    beside = runpy.run_path(str(Path(__file__).with_name("noise_peers.py")))
    given: Reported = beside["ask_about_noise"](
        name, question.entries, question.delta, question.epsilon, question.neighbouring
    )
    return given


def answer(data: Mapping[str, Any]) -> Reported:
    """The answer to the question of a line."""
    name = str(data["accountant"])
    try:
        question = PeerQuestion.of(data)
        if question.entries or name not in TASKS:
            return {**_about_noise(name, question), "versions": _versions(name)}
        given = TASKS[name](question)()
    except ModuleNotFoundError as error:
        return {"missing": str(error.name)}
    except PeerRefusalError as error:
        return {"unsupported": str(error)}
    except Exception as error:  # noqa: BLE001 (a peer may raise anything: that is its answer)
        text = f"{type(error).__name__}: {error}".strip().splitlines()[0]
        if type(error).__name__ == _NOT_SUPPORTED:
            return {"unsupported": text[:_ERROR_LENGTH]}
        return {"error": text[:_ERROR_LENGTH], "versions": _versions(name)}
    return {**given, "versions": _versions(name)}


def main() -> None:
    """Answer each line of standard input; what peers print goes to standard error."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        os.dup2(2, 1)
        for line in sys.stdin:
            out.write(json.dumps(answer(json.loads(line))) + "\n")
            out.flush()


if __name__ == "__main__":
    main()
