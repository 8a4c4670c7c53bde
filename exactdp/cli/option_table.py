r"""Every option of every command, in one table.

Rules of this file: it is text alone. So defaults and choices of the library stand here as well, and
``tests/cli/test_option_table.py`` compares them.

Theory of operation: a command's block lists what it takes, which :data:`LAST` sorts by use. A line
with # defines an option: its flags, the name of its parameter if that is another, and what stands
for its value, then # and what it is for; it goes on in lines that are indented. An argument has no
flag. Without a value an option is given or not; of one in square brackets the value may be left
out. A flag in brackets is what the option was called before, which is understood and not shown.
Further words are ``!`` for what is needed, ``*`` for what may be repeated, ``=`` and ``~`` before a
default that help shows or does not, and ``:`` before its kind: a file to write, a cost, a pair,
choices, or a range of numbers (of GiB, which become bytes). A line without # names options of
:data:`SHARED` by their long flags, arguments in angle brackets, and blocks with @.
:mod:`exactdp.cli.options` reads this.
"""

from __future__ import annotations

from typing import Final

LAST: Final = """
report plot csv certificates output force json
interaction theorem group time-limit tolerance method max-cost
accountant python program timeout memory
jobs cluster store input-timeout worker-memory
remark decimal d-in spent remaining
"""
"""Options at the end of every ``--help``, by their use.

A command's own options stand before them, those that it needs first; ``-m`` and ``--name`` stand on
top.
"""
SHARED: Final = """
--force # Overwrite existing files.
--json # One JSON object.
source LEDGER #
-m --mechanism inline MECHANISM * # A mechanism, such as 0.1,1e-9*50, instead of LEDGER; may be
    repeated (exactdp help mechanisms).
--name TEXT # What the mechanisms are called together (default: the ledger's name).
--jobs N :1..1024 # Answer many inputs in N processes (default: one for each core).
--cluster ADDRESS # Answer them on a Dask cluster, or a new one of N processes here: local.
--store DIR :file # Keep answers here, and ask none twice.
--worker-memory GIB :0.1..GiB # Address space that each process may use.
--delta D # The global δ (default: the ledger's target_delta).
--certificates DIR :file # Write NAME.upper.json and NAME.lower.json here.
--report FILE :file # Write a report here: a page of HTML that verifies itself.
--interaction adaptive|concurrent # How the mechanisms are composed (default: as the ledger says).
--theorem NAME # For concurrent composition: vadhan-zhang-2023-f-dp, lyu-2022-approximate-dp,
    lyu-2022-renyi-dp, vadhan-wang-2021-theorem-5.4, vadhan-wang-2021-theorem-4.1 (default: the
    strongest).
--group G :1..1e18 ~1 # For inputs that differ in up to G places (group privacy).
--max-cost N :cost =2e11 # Refuse work predicted to cost more (about nanoseconds).
--method atoms|grid|bracket|fourier # Force an engine (default: the cheapest).
sources LEDGER… * ! #
--input-timeout (--ledger-timeout) many_timeout SECONDS :0.01.. # Give up an input of many after so
    long.
--python pythons PACKAGE=PATH :pair * # The interpreter that has this package; may be repeated.
--program programs NAME=COMMAND :pair * # An accountant of your own that speaks the protocol; may be
    repeated.
--timeout SECONDS :0.1.. =60.0 # Give up an answer after so long.
--memory GIB :0.01..GiB =8.0 # Address space that an accountant may use.
log LOG ! #
--accountant names NAME * # PACKAGE or PACKAGE/SETTING, or the NAME of a --program.
--ledger LEDGER # Check that the statement is about this ledger.
"""
"""Options that several commands take."""
TAKES: Final = {  # what each command takes; @: what several take together
    "@asides": """
--remark NAME * # A column of the table that is no parameter, though it has numbers; may be
    repeated.
--decimal :,|. # The decimal sign of CSV (default: a point; a comma where all numbers agree, which
    is said).
--d-in distance D # The distance of neighbours, for OpenDP's measurements: 1 for one record added or
    removed.
--spent budgets # Tumult's budgets are what queries cost.
--remaining budgets # Tumult's budgets are what was left: first all of it, then after each query.
""",
    "@beginning": """
--budget stated KIND=B # rho=1/2, epsilon=1, mu=1, renyi=1,alpha=8.
--epsilon E # Or find the largest budget that keeps this ε, at --delta.
--by epsilon|rho|renyi|mu :epsilon|rho|renyi|mu # What adds up, for --epsilon.
--alpha A # The order, for --by renyi.
--failures D ~0 # The budget of failures, for --epsilon.
--delta D # The δ for which status says what the budget promises.
--neighbouring :add-remove-one|replace-one|unspecified ~unspecified #
--unit TEXT ~ # The unit of privacy, in words.
""",
    "@many": """
jobs cluster store
--input-timeout (--timeout) many_timeout SECONDS :0.01.. # Give up an input of many after so long.
worker-memory
""",
    "@many-apart": "cluster store input-timeout worker-memory",
    "@composing": "interaction theorem group max-cost method json",
    "@accountants": "python program timeout memory",
    "init": """
name [FILE] ~ledger.csv #
force json
""",
    "example": """
name [NAME] #
force json
""",
    "compose": """
source LEDGER… * #
@asides mechanism name @many delta
--tolerance T =1e-9/1e-4 # The greatest width of the interval, in nats.
certificates
--plot FILE :file # Draw the privacy profile between its ends: FILE.png or .svg.
--time-limit SECONDS :1.. # Give the best certain interval that fits into so much time.
--explain # Show the choice of method, predicted and actual cost.
force report @composing
""",
    "profile": """
<source> @asides mechanism name
--epsilon E * ! # ε; may be repeated.
--tolerance T =1e-9/1e-4 # The greatest width of each interval, relative to its lower end.
force
--certificates DIR :file # Write NAME.point-N.KIND.json here, two for each ε.
--plot FILE :file # Draw the profile between its ends: FILE.png or .svg.
--time-limit SECONDS :1.. # Give the best certain intervals that fit into so much time.
@composing
""",
    "certify": """
source LEDGER… * #
@asides mechanism name @many
--epsilon E ! # The claimed ε.
--delta D ! # The claimed δ.
--places N :0..100 # ε was rounded to N decimal places: judge it up to what rounds to it.
force report
--plot FILE :file # Draw the privacy profile as a certified band, and the claim in it: FILE.png or
    .svg.
--certificates DIR :file # Write NAME.claim.json here.
-o --output FILE :file # Write the certificate here, in this file.
@composing
""",
    "risk": """
<source> @asides mechanism name
--fpr A * # A rate of false positives; may be repeated (default, without --prior: 1/1000).
--prior P * # A probability of membership before the attack; may be repeated (default, without
    --fpr: 1/2).
--tolerance T =1e-12/1e-3 # The greatest width of each point of the profile, relative to its lower
    end.
force
--certificates DIR :file # Write NAME.fpr-N.upper.json here, and two each for prior-N and advantage.
--plot FILE :file # Draw the trade-off function between its ends: FILE.png or .svg.
max-cost json
""",
    "attack": """
file OUTCOME ! #
--against LEDGER|EPS,DELTA # What is claimed: a ledger, by its own profile, or a pair.
--delta D # Which ε are rejected at this δ (default, without --against: 0).
--level B =0.05 # How often what is true may be rejected.
force
--certificates DIR :file # Write NAME.rejected.json here, where a pair or some ε is rejected.
--plot FILE :file # Draw what was found beside what is allowed, or of one run the p-value of each ε:
    FILE.png or .svg.
max-cost @asides json
""",
    "audit": """
<sources> @many
--certificates DIR :file # Write NAME.claim-N.RULE.KIND.json here, one for each verdict that has
    one.
--plot FILE :file # Draw the claims, and beside each what rules give: FILE.png or .svg.
interaction
--group G :1..1e18 ~1 # Judge the claims as claims about groups of G (group privacy).
max-cost force report @asides json
""",
    "gate": """
places [FOLDER|POLICY|LEDGER]… * #
--policy FILE # Judge each LEDGER by this policy, alone.
--jobs N :1..1024 # Check ledgers in N processes (default: one for each core, where there are
    many).
@many-apart
--junit junit_file FILE :file # Write JUnit XML here.
--sarif sarif_file FILE :file # Write SARIF 2.1.0 here.
force
--certificates DIR :file # Write LEDGER.N.KIND.json here, one for each finding that has one.
@accountants
--max-cost N :cost =2e11 # Leave undecided what is predicted to cost more (about nanoseconds).
@asides json
""",
    "report": """
sources LEDGER… * #
mechanism name delta
--claim claims CLAIM * # A claim about each LEDGER, beside its own, as exactdp verify has it; may
    be repeated.
--value values [NAME=]EPS * # What another accountant says of each LEDGER at that δ; may be
    repeated.
--report (-o) (--output) FILE :file ! # Write the report here: a page of HTML that verifies itself.
force
max-cost @asides json
""",
    "bounds": """
<source> @asides mechanism name delta
--tolerance T =1e-9/1e-4 # The greatest width of the optimum's interval, and the rounding, in nats.
force
--certificates DIR :file # Write NAME.RULE.json here, one for each bound, and
    NAME.optimum.KIND.json.
--csv table FILE :file # Write the table here; with --plot the points of its curves too.
--plot FILE :file # Draw ε against k and against ε: FILE.png or FILE.svg.
@composing
""",
    "budget": """
<source> @asides mechanism name
--epsilon E # ε of the budget; needed, unless FILE names one.
--delta deltas D * # δ of the budget (default: the ledger's target_delta); with --allocate, one or
    several.
--hold LABEL * # Leave these as they are; may be repeated.
--count-of LABEL # Ask how many more of these fit instead.
--noise-of LABEL # Ask for the least noise of this mechanism instead, or its greatest ε, ρ or
    range.
--rate-of LABEL # Ask for the greatest rate of this one on a Poisson sample instead.
--allocate FILE # Share the budget among the statistics of FILE instead, with little weighted
    error.
--fix NAME=E * # The ε of this statistic; may be repeated.
--without NAME * # Leave this statistic out; may be repeated.
--confidence C # That of the intervals shown (default: FILE's, or 0.95).
--tolerance T =1e-6/1e-3 # The greatest width of the interval; relative to it below 1.
force
--certificates DIR :file # Write NAME.upper.json, NAME.lower.json and the ledger NAME.fits.json
    here.
max-cost method json
""",
    "dpsgd": """
--batch-size (--batch) batch B :1.. # Batch size.
--dataset-size (--examples) examples N :1.. # Training examples.
--rate Q # In place of both, of Poisson samples: how likely an example enters one.
--noise-multiplier (--noise) noise SIGMA # The standard deviation over the clipping norm.
--epochs E :1.. # Passes over the data.
--steps T :1.. # Steps instead: whole epochs, where a loader cuts these into batches.
--phase phases PHASE * # What a phase has of its own, where noise or batches change, such as
    noise-multiplier=1.3,epochs=10; may be repeated, in their order.
--delta D ! # Target δ.
--loader :poisson|allocated|shuffled|shuffled-keep-last|fixed-size =poisson # How batches are drawn:
    each example by itself; each example into one batch of an epoch, by itself; all shuffled and
    cut into full batches (drop_last=True), or with a last short one; or anew in each step, without
    replacement. shuffled-keep-last is what PyTorch does with shuffle=True and its default,
    drop_last=False.
--max-batch B :1.. # Of a Poisson sample a batch keeps at most B examples (computed, not certified).
--records-per-person G :1.. =1 # One person has at most G examples, all of which are added or
    removed (of Poisson samples).
--all all_loaders # Answer for the other loaders as well, which takes longer.
--epsilon E # Judge this claim at δ, for the loader.
--tolerance T # The greatest width of an interval, in nats, but for what shuffled batches and those
    of a fixed size leave open (default: 1e-4; of allocated ones and of a fixed size 1e-2; of
    shuffled ones, the last dropped, 1e-1). A greater one takes less time.
--certificates DIR :file # Write the certificates of all ends that are shown here.
force report json
""",
    "filter adopt": """
<log>
--reason TEXT ! # Why the original is gone for good.
json
""",
    "filter audit": """
<log>
--head DIGEST # A line that must be in the log: find missing ends.
json
""",
    "filter certify": """
<log>
--delta D # The δ (default: the log's).
--log with_log # Name the last line and what was spent there.
force
--certificates DIR :file =. # Write NAME.upper.json and NAME.lower.json here.
json
""",
    "filter history": """
logs LOG… * ! #
--plot FILE :file # Draw the months, and the sum below the budget: FILE.png or .svg.
force json
""",
    "filter import": """
<log>
record RECORD ! #
--from format_ csv|opendp|tumult|smartnoise-sql|diffprivlib ! # What it is.
--split COLUMN # Make a log for each team that this column of a CSV names: LOG with the team before
    its ending.
--share shares TEAM=KIND=B :pair * # The budget of one of these, where it is another than all
    others'; may be repeated.
@beginning @asides json
""",
    "filter init": "<log> @beginning json",
    "filter mend": "<log> json",
    "filter spend": """
<log>
-m --mechanism MECHANISM ! # The mechanism (exactdp help mechanisms).
--label TEXT ~ # What it is for.
json
""",
    "filter status": """
<log>
--delta D # The δ of the promise (default: the log's).
force report json
""",
    "papers": """
algorithm mv18|mv16|poster|table :mv18|mv16|poster|table ! #
<source> @asides mechanism name delta
--eta H # The accuracy η (mv18 and mv16).
--t T # The number of cells (poster).
--odds Q # e^ε₀, a rational of whose logarithm every ε is a multiple (table).
--epsilon E # Decide this ε, not the least one (poster).
--tolerance T =1e-9 # Where poster looks for the least ε: the step of its bisection, in nats.
force
--certificates DIR :file # Write the certificates of what is true of the answer here.
max-cost json
""",
    "parallel": """
source WORKLOAD ! #
--delta D =0 # The global δ.
--domain FILE # For SQL: the attributes, as a workload in JSON.
--each EPS[,DELTA] # For SQL: the parameters, or the noise (laplace=10), of statements without any.
--collation :binary # For SQL: the database tells all texts of the domain apart, also in case and
    spaces.
--tolerance T =1e-9/1e-4 # The greatest width of each composition's interval, in nats.
--certificates DIR :file # Write NAME.upper.json, NAME.lower.json and the workload
    NAME.workload.json here.
--time-limit SECONDS :1.. =60 # Search no longer; what is proved by then is the answer.
--plot (--trade-off) [FILE] # Show how many queries each query overlaps with; with FILE, a .png or
    .svg, draw there what the answers tell apart at most, as trade-off functions.
--max-cost N :cost =2e11 # Refuse compositions predicted to cost more (about nanoseconds).
force report json
""",
    "partition": """
integers Z... * #
--divisor D =1 # The privacy parameters are (ln z)/D; the answer is the same.
max-cost json
""",
    "interactive": """
sources MECHANISM… * ! #
--delta D =0 # δ.
force certificates json
""",
    "crosscheck": """
source LEDGER… * #
@asides mechanism name jobs @many-apart
--delta D # Ask for ε at this δ (default: target_delta).
--epsilon E # Ask for δ at this ε instead.
accountant @accountants
--value EPS[,DELTA] * # A number that any tool has given.
--values FILE # CSV: accountant,epsilon[,delta][,basis].
--tolerance T =1e-9/1e-4 # The greatest width of the certified interval, where it costs little.
--certificates DIR :file =crosscheck # Where a certificate goes for each claim that is refuted.
--max-cost N :cost =2e11 # Leave undecided what is predicted to cost more (about nanoseconds).
force report json
""",
    "hunt": """
source [LEDGER…] * #
--jobs N :1..1024 # Search with N seeds at a time, or from N ledgers, in as many processes
    (default: one for each core).
@many-apart accountant python program
--timeout SECONDS :0.1.. =3.0 # Give up an answer after so long.
memory
--time-limit (--time) seconds SECONDS :1.. =300 # Stop searching and shrinking after so long.
--seed seeds N :0.. * # Repeat a search; may be repeated (default: five fresh ones, which are
    printed).
--gap G # By how much the ε must be too small; relative for δ (default: 1e-6, and 1e-3 of δ).
--dpsgd (--noise) noise # Draw DP-SGD (Gaussian noise on samples), as is always done for Opacus.
--batches # Draw DP-SGD on batches of a fixed size alone, where a record is replaced.
force
-o --output DIR :file =hunt # Where ledger, certificate, verifier, script and text go.
@asides json
""",
    "verify": """
files FILE… * ! #
@many ledger
-m --mechanism inline MECHANISM * # Check that it is about these mechanisms; may be repeated
    (exactdp help mechanisms).
--claim CLAIM # Check that it settles this claim: EPS,DELTA; rho=R; mu=M; fpr=A,tpr=T; or
    prior=P,success=S.
--together # Check that all FILEs refute the claim together: fpr=A,tpr=T near the truth.
--attestation FILE # Check an envelope of exactdp attest as well.
--public-key FILE # The key that must have signed it, in PEM.
--nonce TEXT ~ # What must stand in it.
--max-cost N :cost =1e11 # Refuse certificates that cost more (about nanoseconds).
@asides json
""",
    "attest": """
certificate CERTIFICATE ! #
--ledger LEDGER ! # What it is about; the statement's subject.
--key FILE ! # An Ed25519 private key in PEM, not encrypted.
-o --output FILE :file ! # Write the envelope here.
--nonce TEXT ~ # What a reader asks to see in it.
force
--max-cost N :cost =1e11 # Refuse certificates that cost more (about nanoseconds).
@asides json
""",
    "explain": """
file CERT ! #
ledger
-m --mechanism inline MECHANISM * # Check that it is about these mechanisms; may be repeated
    (exactdp help mechanisms).
--max-cost N :cost =1e11 # Refuse a certificate that costs more (about nanoseconds).
@asides json
""",
    "results": """
store STORE :file ! #
--command NAME # Results of this command alone.
--file pattern PATTERN # Of inputs whose name matches.
--exit-code N :0..255 # With this exit code.
--sql SELECT # A question of your own, over the view result.
force
-o --output FILE :file # Write all columns here: Parquet (extra parquet) or, if it ends in .csv,
    CSV.
json
""",
    "convert": """
paths [LEDGER]_[FILE] * #
mechanism name
--from from_format
    json|csv|dp-accounting|diffprivlib|smartnoise-sql|psi|deployments-registry|opacus|opendp|tumult|xlsx
    # What LEDGER is, where it does not show.
--to to_format json|csv|dp-accounting|diffprivlib|smartnoise-sql|psi|deployments-registry #
    The format (default: by FILE's ending).
force @asides json
""",
}
