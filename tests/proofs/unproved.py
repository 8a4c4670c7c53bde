"""The rules whose lemmas are still to come; the extracted checker knows none of them."""

UNPROVED = frozenset({"fourier-upper", "fourier-lower", "profile-dots", "profile-test"})
