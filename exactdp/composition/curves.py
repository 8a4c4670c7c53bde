r"""Curves: how the bounds grow with the number of mechanisms, and with their ε.

Rules of this file: every point is a certain upper end, of the optimum or of a closed form; where
there is none (δ infeasible, a theorem that does not apply), the curve has a gap.

Theory of operation: along k stand the compositions of the first mechanisms of the ledger, in its
order; along ε the ledger with every ε_i multiplied by a scale. These are the two figures of the
appendix of Murtagh & Vadhan, drawn there for equal mechanisms, with the same four curves.

Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, appendix.
"""

from __future__ import annotations
