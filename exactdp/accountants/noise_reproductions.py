r"""Five lines that show what an accountant says of mechanisms by their noise, without exactdp.

Rules of this file: as in :mod:`exactdp.accountants.reproductions`; a script makes the calls of
:mod:`exactdp.accountants.noise_peers`, with the very doubles of the question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from exactdp.accountants.noise_peers import NoiseEntry, inverse_above, root_below
from exactdp.errors import UnsupportedError

_PLD: Final = """\
from dp_accounting import privacy_accountant
from dp_accounting.pld import common, privacy_loss_distribution as pld
total = pld.identity(value_discretization_interval={mesh})
for part, n in {parts}: total = total.compose(part.self_compose(n))
print(total.get_epsilon_for_delta({delta}))
"""
_EVENTS: Final = """\
from dp_accounting import dp_event, pld, privacy_accountant, rdp
accountant = {accountant}(neighboring_relation=\
privacy_accountant.NeighboringRelation.{relation})
for event, n in {parts}: accountant.compose(event, n)
print(accountant.get_epsilon({delta}))
"""
_PRV: Final = """\
from prv_accountant import PRVAccountant, privacy_random_variables as prv
prvs, counts = zip(*{parts})
accountant = PRVAccountant(prvs=prvs, eps_error={error}, delta_error={delta} / 1000, \
max_self_compositions=counts)
print(accountant.compute_epsilon({delta}, counts)[2])
"""
_OPACUS: Final = """\
from opacus import accountants
accountant = accountants.{accountant}()
accountant.history = {steps}
print(accountant.get_epsilon(delta={delta}))
"""
_AUTODP: Final = """\
from autodp import mechanism_zoo, transformer_zoo
def sampled(part, rate, improved): part.neighboring = "add_remove"; return \
transformer_zoo.AmplificationBySampling(PoissonSampling=True)(part, rate, \
improved_bound_flag=improved)
parts, counts = zip(*{parts})
print(transformer_zoo.{composer}()(list(parts), list(counts)).get_approxDP({delta}))
"""
_ZCDP: Final = """\
import opendp.prelude as dp
dp.enable_features("contrib", "honest-but-curious")
ints, floats = [(dp.atom_domain(**o), dp.absolute_distance(T=o["T"])) \
for o in ({{"T": int}}, {{"T": float, "nan": False}})]
parts = [part for part, n in {parts} for part in [part] * n]
print(dp.c.make_zCDP_to_approxDP(dp.c.make_composition(parts)).map(1).epsilon({delta}))
"""


def noise_reproduction(accountant: str, line: Mapping[str, Any]) -> str:
    """A script of at most five lines that asks an accountant of noise what a line asks.

    Raises:
        UnsupportedError: the accountant has no way to express an entry.
    """
    template, expressions, setting = _SCRIPTS[accountant]
    relation = _RELATIONS.get(line.get("neighbouring", ""), "ADD_OR_REMOVE_ONE")
    entries: Sequence[NoiseEntry] = [{**each, _RELATION: relation} for each in line["mechanisms"]]
    steps = [(each.get("sigma"), each.get("rate", 1.0), each["count"]) for each in entries]
    pairs = [
        f"({expression}, {each['count']})" for each in entries for expression in expressions(each)
    ]
    if line.get("events"):
        pairs = [f"({_event_of_tree(line['events'])}, 1)"]
    parts = f"[{', '.join(pairs)}]"
    delta = repr(line["delta"])
    return template.format(parts=parts, steps=steps, delta=delta, relation=relation, **setting)


_RELATION: Final = "relation"
_RELATIONS: Final[Mapping[str, str]] = {"replace-one": "REPLACE_ONE"}


def _reach(entry: NoiseEntry) -> int:
    """How many times the bound on one record the noise is, relative to what the entry says."""
    return 2 if entry[_RELATION] == "REPLACE_ONE" and "clip" not in entry else 1


def _event_of_tree(tree: Mapping[str, Any]) -> str:
    fields = (
        f"{key}={_field(value)}"
        for key, value in tree.items()
        if key not in ("module_name", "class_name")
    )
    return f"dp_event.{tree['class_name']}({', '.join(fields)})"


def _field(value: Any) -> str:  # noqa: ANN401 (JSON)
    if isinstance(value, list):
        return f"[{', '.join(map(_field, value))}]"
    return _event_of_tree(value) if isinstance(value, dict) else repr(value)


def _family(entry: NoiseEntry) -> str:
    return next(key for key in entry if key not in ("count", "rate"))


def _unknown(entry: NoiseEntry) -> UnsupportedError:
    return UnsupportedError(
        field="mechanism", value=_family(entry), expected="a mechanism that the accountant knows"
    )


def _distributions(entry: NoiseEntry, mesh: str) -> Iterator[str]:
    family, options = _family(entry), f"value_discretization_interval={mesh}"
    sampled = f"{options}, sampling_prob={entry.get('rate', 1.0)!r}"
    if family == "sigma" and entry[_RELATION] == "REPLACE_ONE":
        relation = "neighboring_relation=privacy_accountant.NeighboringRelation.REPLACE_ONE"
        noise = _reach(entry) * entry["sigma"]
        yield f"pld.from_gaussian_mechanism({noise!r}, {sampled}, {relation})"
    elif family == "sigma":
        yield f"pld.from_gaussian_mechanism({entry['sigma']!r}, {sampled})"
    elif family == "laplace":
        scale, reach = (entry["laplace"][key] for key in ("scale", "sensitivity"))
        yield f"pld.from_laplace_mechanism({scale!r}, {reach!r}, {sampled})"
    elif family == "discrete_laplace":
        parameter = inverse_above(entry[family]["scale"])
        for shift in entry[family]["shifts"]:
            yield f"pld.from_discrete_laplace_mechanism({parameter!r}, {shift}, {sampled})"
    elif family == "discrete_gaussian":
        sigma = root_below(entry[family]["variance"])
        for shift in entry[family]["shifts"]:
            yield f"pld.from_discrete_gaussian_mechanism({sigma!r}, {shift}, {sampled})"
    elif family == "epsilon":
        pair = f"common.DifferentialPrivacyParameters({entry['epsilon']!r}, {entry['delta']!r})"
        yield f"pld.from_privacy_parameters({pair}, {options})"
    else:
        raise _unknown(entry)


def _events(entry: NoiseEntry) -> Iterator[str]:
    known = {
        "sigma": lambda: f"dp_event.GaussianDpEvent({_reach(entry) * entry['sigma']!r})",
        "laplace": lambda: (
            f"dp_event.LaplaceDpEvent({_reach(entry) * entry['laplace']['scale']!r})"
        ),
        "rho": lambda: f"dp_event.ZCDpEvent({entry['rho']!r})",
        "fixed_size": lambda: _fixed_size(entry["fixed_size"]),
    }
    if _family(entry) not in known:
        raise _unknown(entry)
    event = known[_family(entry)]()
    rate = entry.get("rate")
    yield event if rate is None else f"dp_event.PoissonSampledDpEvent({rate!r}, {event})"


def _fixed_size(step: Mapping[str, Any]) -> str:
    sizes = f"{step['examples']}, {step['batch']}"
    noise = f"dp_event.GaussianDpEvent({step['sigma']!r})"
    return f"dp_event.SampledWithoutReplacementDpEvent({sizes}, {noise})"


def _variables(entry: NoiseEntry) -> Iterator[str]:
    family, rate = _family(entry), entry.get("rate")
    if family == "sigma":
        sampled = f"prv.PoissonSubsampledGaussianMechanism({rate!r}, {entry['sigma']!r})"
        yield f"prv.GaussianMechanism({entry['sigma']!r})" if rate is None else sampled
    elif family == "laplace" and rate is None:
        yield f"prv.LaplaceMechanism(mu={inverse_above(entry['laplace']['scale'])!r})"
    else:
        raise _unknown(entry)


def _steps(entry: NoiseEntry) -> Iterator[str]:
    if _family(entry) != "sigma":
        raise _unknown(entry)
    yield ""


def _zoo(entry: NoiseEntry, options: str) -> Iterator[str]:
    family, rate = _family(entry), entry.get("rate")
    if family == "sigma":
        part = f"mechanism_zoo.GaussianMechanism({entry['sigma']!r}{options})"
    elif family == "laplace":
        part = f"mechanism_zoo.LaplaceMechanism({entry['laplace']['scale']!r}{options})"
    elif family == "rho" and not options:
        part = f"mechanism_zoo.zCDP_Mechanism({entry['rho']!r})"
    else:
        raise _unknown(entry)
    yield part if rate is None else f"sampled({part}, {rate!r}, {family == 'sigma'})"


def _measurements(entry: NoiseEntry) -> Iterator[str]:
    family = _family(entry)
    if family == "sigma" and "rate" not in entry:
        yield f"dp.m.make_gaussian(*floats, scale={entry['sigma']!r})"
    elif family == "discrete_gaussian" and "rate" not in entry:
        yield f"dp.m.make_gaussian(*ints, scale={root_below(entry[family]['variance'])!r})"
    elif family == "discrete_laplace" and "rate" not in entry:
        laplace = f"dp.m.make_laplace(*ints, scale={entry[family]['scale']!r})"
        yield f"dp.c.make_pureDP_to_zCDP({laplace})"
    else:
        raise _unknown(entry)


_Expressions = Callable[[NoiseEntry], Iterator[str]]
_AFA: Final = ", RDP_off=True, phi_off=False"
_SCRIPTS: Final[Mapping[str, tuple[str, _Expressions, Mapping[str, str]]]] = {
    **{
        f"dp-accounting/pld-{mesh}": (_PLD, partial(_distributions, mesh=mesh), {"mesh": mesh})
        for mesh in ("1e-3", "1e-4", "1e-5")
    },
    "dp-accounting/rdp": (_EVENTS, _events, {"accountant": "rdp.RdpAccountant"}),
    "dp-accounting/events": (_EVENTS, _events, {"accountant": "pld.PLDAccountant"}),
    "prv-accountant/0.1": (_PRV, _variables, {"error": "0.1"}),
    "prv-accountant/1e-3": (_PRV, _variables, {"error": "1e-3"}),
    "opacus/rdp": (_OPACUS, _steps, {"accountant": "RDPAccountant"}),
    "opacus/prv": (_OPACUS, _steps, {"accountant": "PRVAccountant"}),
    "opacus/gdp": (_OPACUS, _steps, {"accountant": "GaussianAccountant"}),
    "autodp/rdp": (_AUTODP, partial(_zoo, options=""), {"composer": "Composition"}),
    "autodp/afa": (_AUTODP, partial(_zoo, options=_AFA), {"composer": "ComposeAFA"}),
    "opendp/zcdp": (_ZCDP, _measurements, {}),
}
