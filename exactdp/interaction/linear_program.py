r"""Systems of linear equations in non-negative unknowns, decided with certainty.

Rules of this file: whoever proposes an answer, floats included, is not believed; an answer leaves
this file only after it has been verified in rationals, whole.

Theory of operation: is there z >= 0 with A·z = b? By Farkas' lemma either there is, or there is w
with w·A <= 0 in every column and w·b > 0, never both. The program "make r >= 0 least, subject to
A·z + r·b = b, z >= 0" has an answer (r = 1, z = 0), and its least r is 0 in the first case. A
simplex solver in floats ends with a basis: a set of columns. The basis alone is kept. Its linear
system, solved in rationals, gives z exactly; if r stays positive, the transposed system gives w
exactly. Where the basis does not verify (floats near a tie), an exact simplex method decides:
Bland's rule, which never cycles, on a table of rationals.

Sources: Farkas 1902; Bland, "New finite pivoting rules for the simplex method", Mathematics of
Operations Research 2(2), 1977; the bases of float solvers, solved in rationals: Applegate, Cook,
Dash, Espinoza, "Exact solutions to linear programming problems", Operations Research Letters
35(6), 2007.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from flint import fmpq, fmpq_mat
from gmpy2 import mpq

from exactdp.errors import InternalError
from exactdp.interaction.mechanism import ZERO, total

if TYPE_CHECKING:
    import highspy

Row = Mapping[int, mpq]
"""The coefficients of an equation that are not 0, by column."""

FLOATS: Final = "basis of a float solver"
EXACT: Final = "exact simplex"


@dataclass(frozen=True, slots=True)
class System:
    """The equations A·z = b for z >= 0."""

    rows: tuple[Row, ...]
    right: tuple[mpq, ...]
    columns: int


@dataclass(frozen=True, slots=True)
class Solution:
    """A z >= 0 with A·z = b, and what proposed it."""

    values: tuple[mpq, ...]
    proposed_by: str


@dataclass(frozen=True, slots=True)
class Impossibility:
    """A Farkas certificate: w with w·A <= 0 and w·b > 0; and what proposed it."""

    multipliers: tuple[mpq, ...]
    proposed_by: str


SolutionOrProof = Solution | Impossibility


def decide(system: System, *, floats: bool | None = None) -> SolutionOrProof:
    """A solution or a certificate that there is none, verified in rationals.

    Args:
        system: the equations.
        floats: whether to ask the float solver first (default: if it is installed, from the extra
            ``interactive``).

    Raises:
        InternalError: the exact method's answer does not verify (a bug of ours).

    >>> pair = ({0: mpq(1), 1: mpq(1)}, {0: mpq(1), 1: mpq(-1)})
    >>> decide(System(pair, (mpq(1), mpq(1, 3)), 2)).values
    (mpq(2,3), mpq(1,3))
    >>> decide(System(pair, (mpq(1), mpq(2)), 2), floats=False).multipliers
    (mpq(-1,1), mpq(1,1))
    """
    if floats is None:
        floats = _has_float_solver()
    proposed = _by_floats(system) if floats else None
    if proposed is not None and holds(system, proposed):
        return proposed
    exact = solve_by_exact_simplex(system)
    if not holds(system, exact):
        raise InternalError(field="system", value="no answer", expected="one that verifies")
    return exact


def holds(system: System, answer: SolutionOrProof) -> bool:
    """Whether an answer is what it should be."""
    if isinstance(answer, Solution):
        return min(answer.values, default=ZERO) >= 0 and all(
            total(value * answer.values[column] for column, value in row.items()) == right
            for row, right in zip(system.rows, system.right, strict=True)
        )
    weights = [ZERO] * system.columns
    for multiplier, row in zip(answer.multipliers, system.rows, strict=True):
        for column, value in row.items():
            weights[column] += multiplier * value
    value = total(w * b for w, b in zip(answer.multipliers, system.right, strict=True))
    return max(weights, default=ZERO) <= 0 and value > 0


# --- the basis of a float solver ----------------------------------------------------------------


def _has_float_solver() -> bool:
    try:
        import highspy  # noqa: F401, PLC0415 (an extra)
    except ImportError:
        return False
    return True


def _by_floats(system: System) -> SolutionOrProof | None:
    """What the final basis of the float solver gives in rationals; None if it gives nothing."""
    basis = _float_basis(system)
    if basis is None or len(basis) != len(system.rows):
        return None
    matrix = fmpq_mat(len(basis), len(basis))
    for position, column in enumerate(basis):
        for number, value in _column(system, column).items():
            matrix[number, position] = _flint(value)
    try:
        values = matrix.solve(_vector(system.right))
        residual = basis.index(system.columns) if system.columns in basis else None
        if residual is None or values[residual, 0] == 0:
            return _solution(system, basis, values)
        costs = [mpq(position == residual) for position in range(len(basis))]
        return _impossibility(matrix.transpose().solve(_vector(costs)))
    except ZeroDivisionError:  # a basis that is none in rationals
        return None


def _column(system: System, column: int) -> dict[int, mpq]:
    """A column of (A, b, identity), by row."""
    if column > system.columns:
        return {column - system.columns - 1: mpq(1)}
    if column == system.columns:
        return {number: right for number, right in enumerate(system.right) if right}
    return {number: row[column] for number, row in enumerate(system.rows) if column in row}


def _solution(system: System, basis: Sequence[int], values: fmpq_mat) -> Solution:
    found = [ZERO] * system.columns
    for position, column in enumerate(basis):
        if column < system.columns:
            found[column] = _rational(values[position, 0])
    return Solution(tuple(found), FLOATS)


def _impossibility(multipliers: fmpq_mat) -> Impossibility:
    return Impossibility(
        tuple(_rational(multipliers[i, 0]) for i in range(multipliers.nrows())), FLOATS
    )


def _float_basis(system: System) -> list[int] | None:
    """The basic columns of (A, b, identity) when r is least, as floats see it."""
    import highspy  # noqa: PLC0415 (an extra)

    highs: Any = highspy.Highs  # its constructor comes untyped
    solver = highs()
    for option, value in (("output_flag", False), ("threads", 1), ("presolve", "off")):
        solver.setOptionValue(option, value)
    solver.passModel(_float_model(system))
    if solver.run() == highspy.HighsStatus.kError:
        return None
    basis = solver.getBasis()
    basic = highspy.HighsBasisStatus.kBasic
    columns = [i for i, status in enumerate(basis.col_status) if status == basic]
    rows = [i for i, status in enumerate(basis.row_status) if status == basic]
    return columns + [system.columns + 1 + row for row in rows]


def _float_model(system: System) -> highspy.HighsLp:
    import highspy  # noqa: PLC0415 (an extra)

    rows = [
        {**row, system.columns: right} for row, right in zip(system.rows, system.right, strict=True)
    ]
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = system.columns + 1, len(rows)
    model.col_cost_ = [0.0] * system.columns + [1.0]
    model.col_lower_ = [0.0] * (system.columns + 1)
    model.col_upper_ = [highspy.kHighsInf] * (system.columns + 1)
    model.row_lower_ = model.row_upper_ = [_float(right) for right in system.right]
    starts = [0]
    for row in rows:
        starts.append(starts[-1] + len(row))
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = starts
    model.a_matrix_.index_ = [column for row in rows for column in row]
    model.a_matrix_.value_ = [_float(value) for row in rows for value in row.values()]
    return model


def _float(value: mpq) -> float:
    """Near the value; what comes of it is verified."""
    return int(value.numerator) / int(value.denominator)


def _vector(values: Sequence[mpq]) -> fmpq_mat:
    return fmpq_mat(len(values), 1, [_flint(value) for value in values])


def _flint(value: mpq) -> fmpq:
    return fmpq(int(value.numerator), int(value.denominator))


def _rational(value: fmpq) -> mpq:
    return mpq(int(value.numer()), int(value.denom()))


# --- the exact simplex method -------------------------------------------------------------------


def solve_by_exact_simplex(system: System) -> SolutionOrProof:
    """Phase one of the simplex method: make the sum of one artificial unknown per row least.

    The table has a line for each row, with the right side last, and one line for the cost; the
    artificial columns stand behind the others, and keep the inverse of the basis.
    """
    size, width = len(system.rows), system.columns + len(system.rows)
    signs = [-1 if right < 0 else 1 for right in system.right]
    table = [_table_row(system, number, signs[number], width) for number in range(size)]
    cost = [-total(row[column] for row in table) for column in range(width + 1)]
    for column in range(system.columns, width):
        cost[column] = ZERO
    basis = list(range(system.columns, width))
    while (entering := next((j for j in range(system.columns) if cost[j] < 0), None)) is not None:
        leaving = min(
            (row[-1] / row[entering], basis[i], i)
            for i, row in enumerate(table)
            if row[entering] > 0
        )[2]
        _pivot(table, cost, leaving, entering)
        basis[leaving] = entering
    if cost[-1] == 0:
        values = [ZERO] * width
        for row, column in zip(table, basis, strict=True):
            values[column] = row[-1]
        return Solution(tuple(values[: system.columns]), EXACT)
    multipliers = (sign * (1 - cost[system.columns + i]) for i, sign in enumerate(signs))
    return Impossibility(tuple(multipliers), EXACT)


def _table_row(system: System, number: int, sign: int, width: int) -> list[mpq]:
    line = [ZERO] * (width + 1)
    for column, value in system.rows[number].items():
        line[column] = sign * value
    line[system.columns + number] = mpq(1)
    line[-1] = sign * system.right[number]
    return line


def _pivot(table: list[list[mpq]], cost: list[mpq], leaving: int, entering: int) -> None:
    pivot = table[leaving][entering]
    line = table[leaving] = [value / pivot for value in table[leaving]]
    occupied = [(column, value) for column, value in enumerate(line) if value]
    for other in (*table, cost):
        factor = other[entering]
        if factor and other is not line:
            for column, value in occupied:
                other[column] -= factor * value
