#!/usr/bin/env perl
# An accountant that speaks exactdp-accountant/1, as docs/accountants.md describes it: a line of JSON
# asks, a line of JSON answers. It knows advanced composition (Dwork, Rothblum, Vadhan, FOCS 2010,
# Theorem III.3, with e^ε - 1 for each ε of its own), and basic composition where that is better.
# Perl and its core modules are enough:
#
#     exactdp crosscheck -m '0.1*100' --delta 1e-6 --program 'ours=perl examples/accountant.pl'

use strict;
use warnings;
use JSON::PP;

$| = 1;    # each answer leaves at once
while (my $line = <STDIN>) {
    print encode_json(answer(decode_json($line))), "\n";
}

sub answer {
    my ($question) = @_;
    return { unsupported => 'a question for delta' } unless exists $question->{delta};
    my ($basic, $spent, $drift, $squares) = (0, 0, 0, 0);
    for my $each (@{ $question->{mechanisms} }) {
        return { unsupported => 'other than epsilon' } unless exists $each->{epsilon};
        my ($epsilon, $delta, $count) = @$each{qw(epsilon delta count)};
        $basic   += $count * $epsilon;
        $spent   += $count * $delta;
        $drift   += $count * $epsilon * (exp($epsilon) - 1);
        $squares += $count * $epsilon**2;
    }
    my $slack = $question->{delta} - $spent;
    return { epsilon => 'inf' } if $slack < 0;
    my $advanced = $slack > 0 ? $drift + sqrt(2 * log(1 / $slack) * $squares) : $basic;
    my $least    = $advanced < $basic ? $advanced : $basic;
    # sums of doubles round; a bound is printed a little above them
    return { epsilon => $least * (1 + 1e-12), versions => { example => '1' } };
}
