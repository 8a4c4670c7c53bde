r"""Five lines that show what an accountant says, without exactdp.

Rules of this file: a script calls the accountant as :mod:`exactdp.accountants.peers` does, with the
very doubles of the question, and prints what it says; a test holds the two together.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from exactdp.accountants.accountants import Accountant
from exactdp.accountants.noise_reproductions import noise_reproduction
from exactdp.accountants.peers import PeerQuestion as Asked
from exactdp.accountants.peers import noise, slack, truth
from exactdp.accountants.protocol import AccountantQuestion, question_line

_PLD: Final = """\
from dp_accounting.pld import common, privacy_loss_distribution as pld
total = pld.identity(value_discretization_interval={mesh})
for e, d, n in {groups}: total = total.compose(pld.from_privacy_parameters(\
common.DifferentialPrivacyParameters(e, d), value_discretization_interval={mesh}).self_compose(n))
print(total.get_epsilon_for_delta({delta}))
"""
_PRV: Final = """\
from prv_accountant import PRVAccountant
from prv_accountant import privacy_random_variables as prv
prvs = [prv.ApproximateDPMechanism(e, d) if d else prv.PureDPMechanism(e) for e, d, n in {groups}]
accountant = PRVAccountant(prvs=prvs, eps_error={error}, delta_error={delta} / 1000, \
max_self_compositions={counts})
print(accountant.compute_epsilon({delta}, {counts})[2])
"""
_EVENTS: Final = """\
from dp_accounting import dp_event, pld, privacy_accountant, rdp
accountant = {accountant}(neighboring_relation=\
privacy_accountant.NeighboringRelation.REPLACE_ONE)
for p, n in {noises}: accountant.compose(\
dp_event.SelfComposedDpEvent(dp_event.RandomizedResponseDpEvent(p, 2), n))
print(accountant.get_epsilon({delta}))
"""
_KOV: Final = """\
from autodp.dp_acct import DP_acct
accountant = DP_acct()
for e, d, n in {groups}:
    for _ in range(n): accountant.update_DPlosses(e, d)
print(accountant.get_eps({delta}))
"""
_AUTODP: Final = """\
from autodp import mechanism_zoo, transformer_zoo
parts = [mechanism_zoo.RandresponseMechanism(p{options}) for p in {truths}]
print(transformer_zoo.{composer}()(parts, {counts}).get_approxDP({delta}))
"""
_DIFFPRIVLIB: Final = """\
from diffprivlib import BudgetAccountant
spent = [(e, d) for e, d, n in {groups} for _ in range(n)]
print(BudgetAccountant().total(spent_budget=spent, slack={slack}))
"""
_BASIC: Final = """\
import opendp.prelude as dp
dp.enable_features("contrib", "honest-but-curious")
spent = [(e, d) for e, d, n in {groups} for _ in range(n)]
print(dp.c.make_adaptive_composition(dp.atom_domain(T=bool), dp.discrete_distance(), \
output_measure=dp.approximate(dp.max_divergence()), d_in=1, d_mids=spent).map(1))
"""
_ZCDP: Final = """\
import opendp.prelude as dp
dp.enable_features("contrib", "honest-but-curious")
parts = [dp.c.make_pureDP_to_zCDP(dp.m.make_randomized_response_bool(p)) \
for p, n in zip({truths}, {counts}) for _ in range(n)]
print(dp.c.make_zCDP_to_approxDP(dp.c.make_composition(parts)).map(1).epsilon({delta}))
"""
_ODOMETER: Final = """\
from snsql.sql.odometer import Odometer
from snsql.sql.privacy import Privacy
odometer = Odometer(Privacy(epsilon={epsilon}, delta={own_delta}))
odometer.spend({count})
print(odometer.spent)
"""
_HETEROGENEOUS: Final = """\
from snsql.sql.odometer import OdometerHeterogeneous
from snsql.sql.privacy import Privacy
odometer = OdometerHeterogeneous(Privacy(epsilon=1.0, delta=2 * {slack}))
[odometer.spend(Privacy(epsilon=e, delta=d)) for e, d, n in {groups} for _ in range(n)]
print(odometer.spent)
"""
_PROGRAM: Final = """\
import subprocess
question = {question!r}
done = subprocess.run({command!r}, input=question, capture_output=True, text=True)
print(done.stdout)
"""

_TEMPLATES: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "dp-accounting/pld-1e-3": (_PLD, {"mesh": "1e-3"}),
    "dp-accounting/pld-1e-4": (_PLD, {"mesh": "1e-4"}),
    "dp-accounting/pld-1e-5": (_PLD, {"mesh": "1e-5"}),
    "dp-accounting/rdp": (_EVENTS, {"accountant": "rdp.RdpAccountant"}),
    "dp-accounting/events": (_EVENTS, {"accountant": "pld.PLDAccountant"}),
    "prv-accountant/0.1": (_PRV, {"error": "0.1"}),
    "prv-accountant/1e-3": (_PRV, {"error": "1e-3"}),
    "autodp/kov": (_KOV, {}),
    "autodp/rdp": (_AUTODP, {"composer": "Composition", "options": ""}),
    "autodp/afa": (
        _AUTODP,
        {"composer": "ComposeAFA", "options": ", RDP_off=True, phi_off=False"},
    ),
    "diffprivlib/total": (_DIFFPRIVLIB, {}),
    "opendp/basic": (_BASIC, {}),
    "opendp/zcdp": (_ZCDP, {}),
    "smartnoise-sql/odometer": (_ODOMETER, {}),
    "smartnoise-sql/heterogeneous": (_HETEROGENEOUS, {}),
}


def reproduction(accountant: Accountant, question: AccountantQuestion) -> str:
    """A script of at most five lines that prints what the accountant says of a question.

    The question is one for ε at δ, and has a mechanism with ε > 0.
    """
    line = question_line(question, accountant.name, pure=accountant.pure)
    if not accountant.package:
        return _PROGRAM.format(question=f"{line}\n", command=list(accountant.command))
    if question.ledger.given_by != "epsilon-delta":
        return noise_reproduction(accountant.name, json.loads(line))
    template, setting = _TEMPLATES[accountant.name]
    asked = Asked.of(json.loads(line))
    groups = [group for group in asked.groups if group[0] > 0 or not accountant.pure]
    epsilon, own_delta, count = groups[0]
    values = {
        "groups": groups,
        "counts": [each for _, _, each in groups],
        "delta": asked.delta,
        "epsilon": epsilon,
        "own_delta": own_delta,
        "count": count,
        "slack": slack(asked),
        "truths": [truth(e) for e, _, _ in groups] if accountant.pure else [],
        "noises": [(noise(e), n) for e, _, n in groups] if accountant.pure else [],
    }
    return template.format(**values, **setting)
