# Theorems by the axioms that they rest on.
#
#   awk -v as=commands -f groups.awk AUDITED THEOREMS   ask Coq about each group of AUDITED at once, and
#                                                       about each theorem that is not there alone
#   awk -v as=groups -f groups.awk AUDITED THEOREMS     AUDITED with groups of the same axioms as one
#
# AUDITED is assumptions.txt, or what Coq answered: names, one a line with a colon, and below them the
# axioms of all these together. What a group rests on is the most that any one of it can.

FILENAME == ARGV[1] && /^[A-Za-z0-9_]+\.[A-Za-z0-9_']+:$/ {
    if (!within_names) block++
    within_names = 1
    block_of[substr($0, 1, length($0) - 1)] = block
    next
}
FILENAME == ARGV[1] { within_names = 0; axioms[block] = axioms[block] $0 "\n"; next }
{
    own = $1 in block_of ? block_of[$1] : ++block
    group = as == "groups" ? axioms[own] : own
    if (!(group in members)) order[++groups] = group
    members[group] = members[group] " " $1
}
END {
    for (g = 1; g <= groups; g++) {
        count = split(members[order[g]], names, " ")
        if (as == "groups") {
            for (i = 1; i <= count; i++) print names[i] ":"
            printf "%s", order[g]
        } else {
            printf "Goal True."
            for (i = 1; i <= count; i++) printf " idtac \"%s:\".", names[i]
            printf " Abort.\nDefinition group_%d := (I", g
            for (i = 1; i <= count; i++) printf ", @ExactDP.%s", names[i]
            printf ").\nPrint Assumptions group_%d.\n", g
        }
    }
}
