"""JAX Privacy's sensitivities in floating point, where it is installed, against both ends.

EXACTDP_PEERS holds directories, separated as in PATH; in one, jax-privacy/bin/python.
"""

from __future__ import annotations

import json
import os
import subprocess
from fractions import Fraction
from math import isclose
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from gmpy2 import mpq

from exactdp.mechanisms.factorizations import factorization_of, participation_of
from exactdp.mechanisms.sensitivity import squared_sensitivity

ROOT: Final = Path(__file__).resolve().parents[3]
PLACES: Final = [ROOT / ".bench", *map(Path, os.environ.get("EXACTDP_PEERS", "").split(os.pathsep))]
SCRIPT: Final = """
import json, sys
import jax
jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
from jax_privacy.matrix_factorization import buffered_toeplitz, sensitivity, toeplitz
found = []
for ask, numbers, n, most, apart in json.load(sys.stdin):
    c = jnp.array(numbers, dtype=jnp.float64)
    if ask == "toeplitz":
        square = toeplitz.minsep_sensitivity_squared(c, apart, most, n)
    elif ask == "banded":
        square = sensitivity.get_sensitivity_banded(c, apart, most) ** 2
    elif ask == "rows":
        square = sensitivity.get_min_sep_sensitivity_upper_bound(c, apart, most) ** 2
    else:
        square = sensitivity.fixed_epoch_sensitivity(c, most) ** 2
    found.append(float(square))
print(json.dumps(found))
"""

pytestmark = [pytest.mark.peer, pytest.mark.slow]


def answers(questions: list[tuple[object, ...]]) -> list[float]:
    for place in PLACES:
        python = place / "jax-privacy" / "bin" / "python"
        if python.exists():
            command = [str(python), "-I", "-W", "ignore", "-c", SCRIPT]
            asked = json.dumps(questions)
            done = subprocess.run(
                command, input=asked, capture_output=True, text=True, check=True, timeout=300
            )
            return list(json.loads(done.stdout))
    pytest.skip("jax-privacy is not installed in .bench or below EXACTDP_PEERS")


def ends(factorization: object, participation: object) -> tuple[mpq, mpq]:
    matrix = factorization_of(factorization)
    return squared_sensitivity(matrix, participation_of(participation, matrix.rounds))


def of_bands(random: Random, rounds: int, band: int) -> list[list[float]]:
    return [
        [random.randint(1, 8) / 8 if i - band < j <= i else 0.0 for j in range(rounds)]
        for i in range(rounds)
    ]


def test_its_sensitivities_are_ours_to_the_digits_of_doubles() -> None:
    random = Random(1)  # noqa: S311 (tests)
    questions: list[tuple[object, ...]] = []
    known: list[mpq] = []
    for _ in range(12):
        rounds, most, apart = random.randint(6, 40), random.randint(1, 5), random.randint(2, 8)
        taken = {"most": most, "apart": apart}
        falling = sorted((random.randint(1, 64) / 64 for _ in range(rounds)), reverse=True)
        texts = [str(Fraction(each)) for each in falling]
        questions.append(("toeplitz", falling, rounds, most, apart))
        known.append(ends({"toeplitz": texts, "steps": rounds}, taken)[0])
        banded = of_bands(random, rounds, apart)
        starts = [max(0, i - apart + 1) for i in range(rounds)]
        short = [[str(Fraction(x)) for x in banded[i][starts[i] : i + 1]] for i in range(rounds)]
        questions.append(("banded", banded, rounds, most, apart))
        known.append(ends({"rows": short, "from": starts}, taken)[1])
    found = answers(questions)
    assert len(found) == len(known) == 24
    for theirs, ours in zip(found, known, strict=True):
        assert isclose(theirs, float(Fraction(str(ours))), rel_tol=1e-12)


def test_its_bound_of_rows_is_never_below_ours() -> None:
    random = Random(2)  # noqa: S311 (tests)
    questions: list[tuple[object, ...]] = []
    known: list[Any] = []
    for _ in range(12):
        rounds, most, apart = random.randint(6, 30), random.randint(1, 5), random.randint(1, 6)
        rows = [
            [random.randint(-8, 8) / 8 if j <= i else 0.0 for j in range(rounds)]
            for i in range(rounds)
        ]
        rows[0][0] = 1.0
        questions.append(("rows", rows, rounds, most, apart))
        texts = [[str(Fraction(each)) for each in row] for row in rows]
        known.append(ends({"rows": texts}, {"most": most, "apart": apart})[1])
    found = answers(questions)
    assert len(found) == 12
    for theirs, ours in zip(found, known, strict=True):
        assert Fraction(str(ours)) <= Fraction(theirs * (1 + 1e-12))
