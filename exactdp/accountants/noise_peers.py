r"""Accountants asked about mechanisms by their noise: entries in, the peer's own answers out.

Rules of this file: as in ``peers.py``, which loads it inside the peer's interpreter: the standard
library and the peer at hand; where a parameter has to be translated (a scale for its inverse, a
variance for its root), it is rounded so that the noise is no more than the entry says. What a peer
has no mechanism for is refused, never taken for another.

Theory of operation: an entry is that of ``exactdp-ledger/1``, its numbers doubles. Coordinates have
noise of their own, so that several shifts are as many mechanisms.

A sensitivity is what neighbours differ by, whoever they are, and most accountants take one.
dp-accounting takes a bound on what one record contributes, and a relation: a record that is
replaced moves a sum by twice that bound, so that the same noise is twice as much of it. Opacus
counts steps of records that are added or removed. Samples are of such records as well, but in
dp-accounting's Gaussian mechanism, which knows a replaced one. About other neighbours than those
that they know, accountants are not asked.
"""

from __future__ import annotations

import math
import sys
import types
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from importlib.util import find_spec
from typing import Any, Final, NoReturn

PeerAnswer = Mapping[str, Any]
NoiseEntry = Mapping[str, Any]

_DELTA_ERROR: Final = 1e-12


class NoiseRefusalError(Exception):
    """The peer has no way to express an entry."""


@dataclass(frozen=True)
class NoiseQuestion:
    """Entries, and a δ for which ε is sought or an ε for which δ is sought."""

    entries: Sequence[NoiseEntry]
    delta: float | None
    epsilon: float | None
    neighbouring: str = "unspecified"

    @property
    def replaces(self) -> bool:
        """Whether neighbours differ by a record that is replaced."""
        return self.neighbouring == "replace-one"

    @property
    def reach(self) -> int:
        """How many times its bound a record moves a sum."""
        return 2 if self.replaces else 1

    def ask(
        self, of_delta: Callable[[float], Any], of_epsilon: Callable[[float], Any] | None = None
    ) -> PeerAnswer:
        """Ask a composed object for the ε at δ, or the δ at ε."""
        if self.epsilon is None:
            return {"epsilon": float(of_delta(self.delta or 0.0))}
        if of_epsilon is None:
            _refuse("a question for δ at a given ε")
        return {"delta": float(of_epsilon(self.epsilon))}

    def gaussian_steps(self) -> list[tuple[float, float, int]]:
        """The triples (σ, rate, count), if every entry is Gaussian noise of sensitivity 1."""
        return [(_sigma(each), _rate(each), int(each["count"])) for each in self.entries]


def _sigma(entry: NoiseEntry) -> float:
    if "sigma" not in entry or entry.get("sensitivity", entry.get("clip")) != 1:
        _refuse(f"{_family(entry)}: Gaussian noise alone")
    return float(entry["sigma"])


def _rate(entry: NoiseEntry) -> float:
    return float(entry.get("rate", 1.0))


def _family(entry: NoiseEntry) -> str:
    return next(key for key in entry if key not in ("count", "rate"))


def _refuse(what: str) -> NoReturn:
    raise NoiseRefusalError(what)


def inverse_above(value: float) -> float:
    """A double that is not below 1/value, and next to it."""
    exact = 1 / Fraction(value)
    found = float(exact)
    return found if Fraction(found) >= exact else math.nextafter(found, math.inf)


def root_below(value: float) -> float:
    """A double that is not above the root of a value, and next to it."""
    found = math.sqrt(value)
    return found if Fraction(found) ** 2 <= Fraction(value) else math.nextafter(found, 0.0)


# --- dp-accounting ------------------------------------------------------------------------------


def dp_accounting_pld(question: NoiseQuestion, mesh: float) -> PeerAnswer:
    """Privacy loss distributions, each by its own function; coordinates one by one."""
    from dp_accounting.pld import privacy_loss_distribution as pld  # noqa: PLC0415 (the peer)

    total = pld.identity(value_discretization_interval=mesh)
    for entry in question.entries:
        for part in _distributions(pld, entry, mesh, question):
            total = total.compose(part.self_compose(int(entry["count"])))
    return question.ask(total.get_epsilon_for_delta, total.get_delta_for_epsilon)


def _distributions(
    pld: Any,  # noqa: ANN401 (a peer's)
    entry: NoiseEntry,
    mesh: float,
    question: NoiseQuestion,
) -> Iterator[Any]:
    family, options = _family(entry), {"value_discretization_interval": mesh}
    sampled = {**options, "sampling_prob": _rate(entry)}
    if question.replaces and family == "sigma":
        from dp_accounting import privacy_accountant  # noqa: PLC0415 (the peer)

        relation = privacy_accountant.NeighboringRelation.REPLACE_ONE
        noise = _of_bound(entry, question)
        yield pld.from_gaussian_mechanism(noise, **sampled, neighboring_relation=relation)
    elif question.replaces and "rate" in entry:
        _refuse(f"{family} on a sample where a record is replaced")
    elif family == "sigma":
        yield pld.from_gaussian_mechanism(_sigma(entry), **sampled)
    elif family == "laplace":
        laplace = entry["laplace"]
        yield pld.from_laplace_mechanism(laplace["scale"], laplace["sensitivity"], **sampled)
    elif family == "discrete_laplace":
        parameter = inverse_above(entry["discrete_laplace"]["scale"])
        for shift in entry["discrete_laplace"]["shifts"]:
            yield pld.from_discrete_laplace_mechanism(parameter, shift, **sampled)
    elif family == "discrete_gaussian":
        sigma = root_below(entry["discrete_gaussian"]["variance"])
        for shift in entry["discrete_gaussian"]["shifts"]:
            yield pld.from_discrete_gaussian_mechanism(sigma, shift, **sampled)
    elif family == "epsilon":
        from dp_accounting.pld import common  # noqa: PLC0415 (the peer)

        pair = common.DifferentialPrivacyParameters(entry["epsilon"], entry["delta"])
        yield pld.from_privacy_parameters(pair, **options)
    else:
        _refuse(family)


def _of_bound(entry: NoiseEntry, question: NoiseQuestion) -> float:
    """Gaussian noise relative to the bound on one record: of a sample it is the clip."""
    if "clip" in entry:
        return float(entry["sigma"])
    if question.replaces and "rate" in entry:
        _refuse("a sample where a record is replaced, without the bound on one record")
    return question.reach * _sigma(entry)


def dp_accounting_rdp(question: NoiseQuestion) -> PeerAnswer:
    """The RDP accountant over events, under the relation that is asked about."""
    from dp_accounting import dp_event, privacy_accountant, rdp  # noqa: PLC0415 (the peer)

    relations = privacy_accountant.NeighboringRelation
    relation = relations.REPLACE_ONE if question.replaces else relations.ADD_OR_REMOVE_ONE
    accountant = rdp.RdpAccountant(neighboring_relation=relation)
    for entry in question.entries:
        event = _event(dp_event, entry, question)
        if "rate" in entry:
            event = dp_event.PoissonSampledDpEvent(_rate(entry), event)
        accountant.compose(event, int(entry["count"]))
    return question.ask(accountant.get_epsilon, accountant.get_delta)


def _event(dp_event: Any, entry: NoiseEntry, question: NoiseQuestion) -> Any:  # noqa: ANN401 (a peer's)
    family = _family(entry)
    if family == "fixed_size":
        step = entry[family]
        noise = dp_event.GaussianDpEvent(step["sigma"])
        return dp_event.SampledWithoutReplacementDpEvent(step["examples"], step["batch"], noise)
    if family == "sigma":
        return dp_event.GaussianDpEvent(_of_bound(entry, question))
    if family == "laplace" and entry["laplace"]["sensitivity"] == 1:
        return dp_event.LaplaceDpEvent(question.reach * entry["laplace"]["scale"])
    if family == "rho":
        return dp_event.ZCDpEvent(entry["rho"])
    return _refuse(family)


# --- prv-accountant -----------------------------------------------------------------------------


def prv_accountant(question: NoiseQuestion, error: float) -> PeerAnswer:
    """Privacy random variables; the upper end for the errors asked for, δ/1000 in δ."""
    from prv_accountant import PRVAccountant  # noqa: PLC0415 (the peer)
    from prv_accountant import privacy_random_variables as prv  # noqa: PLC0415 (the peer)

    counts = [int(entry["count"]) for entry in question.entries]
    solver = PRVAccountant(
        prvs=[_variable(prv, entry) for entry in question.entries],
        eps_error=error,
        delta_error=(question.delta or 0) / 1000 or _DELTA_ERROR,
        max_self_compositions=counts,
    )
    return question.ask(
        lambda delta: solver.compute_epsilon(delta, counts)[2],
        lambda epsilon: solver.compute_delta(epsilon, counts)[2],
    )


def _variable(prv: Any, entry: NoiseEntry) -> Any:  # noqa: ANN401 (a peer's)
    family = _family(entry)
    if family == "sigma" and "rate" in entry:
        return prv.PoissonSubsampledGaussianMechanism(_rate(entry), _sigma(entry))
    if family == "sigma":
        return prv.GaussianMechanism(_sigma(entry))
    if family == "laplace" and "rate" not in entry:
        return prv.LaplaceMechanism(mu=inverse_above(entry["laplace"]["scale"]))
    return _refuse(f"{family} on a sample" if "rate" in entry else family)


# --- Opacus -------------------------------------------------------------------------------------


def opacus(question: NoiseQuestion, name: str) -> PeerAnswer:
    """One of its accountants, with the steps as its history; its warnings are passed on."""
    steps = question.gaussian_steps()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        accountant = getattr(opacus_accountants(), name)()
        if name == "GaussianAccountant" and len(steps) > 1:
            _refuse("steps of different noise or rates")
        accountant.history = steps
        answer = question.ask(lambda delta: accountant.get_epsilon(delta=delta))
    remarks = [str(each.message) for each in warned if "underestimate" in str(each.message)]
    return {**answer, "remark": f"it warns: {remarks[0]}"} if remarks else answer


def opacus_accountants() -> Any:  # noqa: ANN401 (a peer's)
    """Its accountants; without torch, of which they use the name of one class for annotations."""
    if find_spec("torch") is None and "opacus" not in sys.modules:
        found = find_spec("opacus")
        if found is None:
            raise ModuleNotFoundError("opacus", name="opacus")
        package = types.ModuleType("opacus")
        package.__path__ = list(found.submodule_search_locations or [])
        optimizers = types.ModuleType("opacus.optimizers")
        optimizers.DPOptimizer = object  # type: ignore[attr-defined]  # the name that they use
        sys.modules |= {"opacus": package, "opacus.optimizers": optimizers}
    from opacus import accountants  # noqa: PLC0415 (the peer)

    return accountants


# --- autodp -------------------------------------------------------------------------------------


def autodp_rdp(question: NoiseQuestion) -> PeerAnswer:
    """Mechanisms of its zoo, composed by their Rényi divergences."""
    from autodp import mechanism_zoo, transformer_zoo  # noqa: PLC0415 (the peer)

    parts = []
    for entry in question.entries:
        part = _zoo(mechanism_zoo, entry, {})
        if "rate" in entry:
            sampling = transformer_zoo.AmplificationBySampling(PoissonSampling=True)
            improved = _family(entry) == "sigma"  # of which its documentation says so
            part.neighboring = "add_remove"
            part = sampling(part, _rate(entry), improved_bound_flag=improved)
        parts.append(part)
    counts = [int(entry["count"]) for entry in question.entries]
    composed = transformer_zoo.Composition()(parts, counts)
    return question.ask(composed.get_approxDP, composed.get_approx_delta)


def autodp_afa(question: NoiseQuestion) -> PeerAnswer:
    """Mechanisms of its zoo, composed by their characteristic functions."""
    from autodp import mechanism_zoo, transformer_zoo  # noqa: PLC0415 (the peer)

    if any("rate" in entry or _family(entry) == "rho" for entry in question.entries):
        _refuse("samples and ρ, which have no characteristic function there")
    options = {"RDP_off": True, "phi_off": False}
    parts = [_zoo(mechanism_zoo, entry, options) for entry in question.entries]
    counts = [int(entry["count"]) for entry in question.entries]
    composed = transformer_zoo.ComposeAFA()(parts, counts)
    return question.ask(composed.get_approxDP, composed.get_approx_delta)


def _zoo(zoo: Any, entry: NoiseEntry, options: Mapping[str, bool]) -> Any:  # noqa: ANN401 (a peer's)
    family = _family(entry)
    if family == "sigma":
        return zoo.GaussianMechanism(_sigma(entry), **options)
    if family == "laplace" and entry["laplace"]["sensitivity"] == 1:
        return zoo.LaplaceMechanism(entry["laplace"]["scale"], **options)
    if family == "rho" and not options:
        return zoo.zCDP_Mechanism(entry["rho"])
    return _refuse(family)


# --- OpenDP -------------------------------------------------------------------------------------


def opendp_zcdp(question: NoiseQuestion) -> PeerAnswer:
    """Its noise on integers, and on floats for Gaussian noise, composed as zCDP."""
    import opendp.prelude as dp  # noqa: PLC0415 (the peer)

    dp.enable_features("contrib", "honest-but-curious")
    if len({_family(entry) == "sigma" for entry in question.entries}) > 1:
        _refuse("noise on integers beside noise on floats")
    parts = [
        part
        for entry in question.entries
        for part in [_measurement(dp, entry)] * int(entry["count"])
    ]
    profile = dp.c.make_zCDP_to_approxDP(dp.c.make_composition(parts)).map(1)
    return question.ask(profile.epsilon, profile.delta)


def _measurement(dp: Any, entry: NoiseEntry) -> Any:  # noqa: ANN401 (a peer's)
    family = _family(entry)
    if "rate" in entry:
        _refuse("mechanisms on samples")
    integers = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    noise = entry[family]
    if family == "sigma":
        floats = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
        return dp.m.make_gaussian(*floats, scale=_sigma(entry))
    if family == "discrete_gaussian" and noise["shifts"] == [1]:
        return dp.m.make_gaussian(*integers, scale=root_below(noise["variance"]))
    if family == "discrete_laplace" and noise["shifts"] == [1]:
        return dp.c.make_pureDP_to_zCDP(dp.m.make_laplace(*integers, scale=noise["scale"]))
    return _refuse(family)


NOISE_TASKS: Final[Mapping[str, Callable[[NoiseQuestion], PeerAnswer]]] = {
    "dp-accounting/pld-1e-3": partial(dp_accounting_pld, mesh=1e-3),
    "dp-accounting/pld-1e-4": partial(dp_accounting_pld, mesh=1e-4),
    "dp-accounting/pld-1e-5": partial(dp_accounting_pld, mesh=1e-5),
    "dp-accounting/rdp": dp_accounting_rdp,
    "prv-accountant/0.1": partial(prv_accountant, error=0.1),
    "prv-accountant/1e-3": partial(prv_accountant, error=1e-3),
    "opacus/rdp": partial(opacus, name="RDPAccountant"),
    "opacus/prv": partial(opacus, name="PRVAccountant"),
    "opacus/gdp": partial(opacus, name="GaussianAccountant"),
    "autodp/rdp": autodp_rdp,
    "autodp/afa": autodp_afa,
    "opendp/zcdp": opendp_zcdp,
}


_SAMPLES_REPLACED: Final = "dp-accounting/pld-"
"""Who knows samples where a record is replaced."""


def ask_about_noise(
    name: str,
    entries: Sequence[NoiseEntry],
    delta: float | None,
    epsilon: float | None,
    neighbouring: str = "unspecified",
) -> PeerAnswer:
    """What an accountant says of entries; refusals are answers too."""
    if name not in NOISE_TASKS:
        return {"unsupported": "mechanisms by their noise"}
    question = NoiseQuestion(entries, delta, epsilon, neighbouring)
    try:
        _check_neighbours(name, question)
        return NOISE_TASKS[name](question)
    except NoiseRefusalError as error:
        return {"unsupported": str(error)}


def _check_neighbours(name: str, question: NoiseQuestion) -> None:
    """Refuse neighbours of which an accountant does not speak."""
    if not question.replaces:
        return
    if name.startswith("opacus/"):
        _refuse("a record that is replaced: its steps are of records that are added or removed")
    if name != "dp-accounting/rdp" and "fixed_size" in map(_family, question.entries):
        _refuse("batches of a fixed size")
    sampled = any("rate" in entry for entry in question.entries)
    if sampled and not name.startswith(_SAMPLES_REPLACED):
        _refuse("samples where a record is replaced")
