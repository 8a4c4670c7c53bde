"""The rules whose lemmas are still to come; the extracted checker knows none of them."""

UNPROVED = frozenset(
    {
        *("filter-sum", "filter-concentrated", "filter-gaussian", "filter-renyi", "fixed-spends"),
        *("fourier-upper", "fourier-lower"),
    }
)
