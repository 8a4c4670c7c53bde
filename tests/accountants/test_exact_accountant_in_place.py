"""The accountant of our own in the places of others, in the libraries themselves.

They are looked for where :mod:`tests.accountants.test_peers` looks, and run in this interpreter.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.accountants.test_peers import PLACES

pytestmark = [pytest.mark.peer, pytest.mark.slow]


def run_beside(package: str, program: str) -> str:
    """What a program prints where a library can be imported beside exactdp."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for place in PLACES:
        packages = place / package / "lib" / version / "site-packages"
        if packages.exists():
            done = subprocess.run(
                [sys.executable, "-W", "ignore", "-c", program],
                capture_output=True,
                text=True,
                check=False,
                timeout=600,
                env={**os.environ, "PYTHONPATH": str(packages)},
            )
            assert done.stderr == ""
            return done.stdout
    pytest.skip(f"{package} is not installed for {version} in .bench or below EXACTDP_PEERS")


DP_ACCOUNTING = """
import dp_accounting as dp
import exactdp
from dp_accounting import dp_event as events
from exactdp.accountants import ExactAccountant

account = ExactAccountant(dp.NeighboringRelation.REPLACE_SPECIAL)
assert isinstance(account, dp.PrivacyAccountant)
account.compose(events.LaplaceDpEvent(10.0), 20).compose(events.GaussianDpEvent(5.0))
assert account.ledger == events.ComposedDpEvent(
    [events.SelfComposedDpEvent(events.LaplaceDpEvent(10.0), 20), events.GaussianDpEvent(5.0)]
)
assert account.supports(events.ZCDpEvent(0.5)) and not account.supports(events.NonPrivateDpEvent())
pld = dp.pld.PLDAccountant(dp.NeighboringRelation.REPLACE_SPECIAL).compose(account.ledger)
print(round(account.get_epsilon(1e-6), 3), round(pld.get_epsilon(1e-6), 3))
print(exactdp.compose(events.LaplaceDpEvent(0.5), delta=0).exact)
noise = dp.calibrate_dp_mechanism(
    ExactAccountant,
    lambda noise: events.LaplaceDpEvent(noise),
    1.0,
    0.0,
    bracket_interval=dp.LowerEndpointAndGuess(0.1, 0.5),  # at 0 there is no noise
    tol=1e-3,
)
print(0.999 <= noise <= 1.002)
"""


def test_it_stands_in_for_an_accountant_of_dp_accounting() -> None:
    first, *others = run_beside("dp-accounting", DP_ACCOUNTING).splitlines()
    ours, theirs = map(float, first.split())
    assert abs(ours - theirs) <= 0.002
    assert others == ["2", "True"]


OPACUS = """
from exactdp.accountants.noise_peers import opacus_accountants
opacus = opacus_accountants()
import exactdp
from exactdp.accountants import ExactAccountant

ours, theirs = ExactAccountant(), opacus.PRVAccountant()
assert isinstance(ours, opacus.IAccountant)
for account in (ours, theirs):
    for _ in range(100):
        account.step(noise_multiplier=1.1, sample_rate=0.01)
assert ours.history == theirs.history
assert {*ours.state_dict()} == {*theirs.state_dict()}
for each in (theirs, theirs.state_dict()):
    assert exactdp.from_opacus(each) == exactdp.from_opacus(ours)
print(ours.get_epsilon(delta=1e-5), theirs.get_epsilon(delta=1e-5))
"""


def test_it_stands_in_for_an_accountant_of_opacus() -> None:
    ours, theirs = map(float, run_beside("opacus", OPACUS).split())
    assert 0 < theirs - ours < 0.02  # theirs adds the error of its mesh
