### Charts: titles, axes, labels and descriptions for people who cannot see them.
### Numbers arrive as they are; functions in capitals print them: SHARE (a share as put in, "1 %"), PERCENT (rounded up),
### ATLEAST (a share rounded down), BELIEF (a prior), GIVEN (as put in), NUMBER (rounded up), TIMES (a factor), POINTS
### (percentage points), CHANCE and RATE (probabilities), SIZE (a number, or "infinite").
### $about: whom the attacker tells apart: "membership" and "analyst" (in the data or not), "replaced" (the same, with
### someone else in the person's place), "value" (above a bound or not), "answer" and "related" (which of two is true).

pic-out = { $about ->
    [value] { unit-many } at or below the bound
    [answer] { unit-many } with another true answer
    [related] targets with the other value
   *[membership] { unit-many } not in the data
 }
pic-in = { $about ->
    [value] { unit-many } above the bound
    [answer] { unit-many } with that true answer
    [related] targets with that value
   *[membership] { unit-many } in the data
 }
pic-topic = { $about ->
    [value] the value
    [answer] the answer
    [related] the target's value
    [analyst] the analyst's test
   *[membership] being in the data
 }
pic-without = { $about ->
    [value] value at or below the bound
    [answer] the other answer is true
    [related] the other value is true
    [replaced] with another { $unit } instead
   *[membership] without the { $unit }
 }
pic-with = { $about ->
    [value] value above the bound
    [answer] that answer is true
    [related] that value is true
   *[membership] with the { $unit }
 }
pic-proves = { $about ->
    [value] on which side of the bound someone's value is
    [answer] what someone's true answer is
    [related] what the target's value is
   *[membership] that { who-someone } is, or is not, in the data
 }
pic-seen = { $about ->
    [answer] the response
   *[membership] the publication
 }

pic-mildest = This is the mildest release that explains a measured attack. The true risk may be higher.

title-roc = What the best attack identifies
title-roc_log = What the best attack identifies, few false alarms enlarged
title-tradeoff = The attacker's two errors
title-precision_recall = How many named cases are right
title-posterior = Belief before and after
title-relative_risk = How far the odds rise after being named
title-profile = Every epsilon and delta that holds (privacy profile)
title-fscore = The attacker's best F-score against epsilon
title-power_noise = What more or less noise would change for the attacker
title-output_laws = What the attacker looks at
title-analyst_power = What the noise costs the analyst
title-audit = What is claimed and what was measured
title-feasible = Noise that serves both sides
title-leakage = What knowing other records adds
title-icons = Of { $out_of } named, how many are right
title-named = { $title }: "{ $name }"
# $route: how the numbers are known, such as "exact".
subtitle = about { pic-topic }; safe side of every number; route: { $route }

axis-alpha = false alarms, of { pic-out }
axis-power = identified, of { pic-in }
axis-beta = missed, of { pic-in }
axis-recall = identified, of { pic-in } (recall)
axis-precision = right, of those named (precision)
axis-prior = belief before the publication (prior)
axis-posterior = belief after it (posterior)
axis-ratio = odds, times those before
axis-epsilon = epsilon
axis-epsilon_at = epsilon at delta = { GIVEN($delta) }
axis-delta = delta
axis-fscore = F-score of the best attack
axis-noise = noise ({ $parameter }): more accurate to the left, more private to the right
axis-noise_factor = noise, times the present: more accurate to the left, more private to the right
axis-density = density
axis-probability = probability
axis-outcome = outcome
axis-loss = log-likelihood ratio of what is published
axis-output = { $about ->
    [membership] published number, relative to the truth without the { $unit }
    [analyst] published number, relative to the truth without the { $unit }
    [replaced] published number, relative to the truth with another { $unit } instead
   *[value] published number
 }
axis-known = other records that the attacker knows
axis-leakage = epsilon of the worst attacker
axis-effect = true effect
axis-analyst_power = power of the analyst's test
axis-amount = amount of noise: more accurate to the left, more private to the right
axis-amount_of = noise ({ $parameter }): more accurate to the left, more private to the right

parameter-sigma = standard deviation
parameter-scale = scale
parameter-noise_multiplier = noise multiplier

# The line separator {"\u2028"} begins a new line.
label-claimed = claimed, at most
label-measured = measured, at least
label-guess = guessing
label-best = best attack
label-point = ○ { SHARE($x) } false alarms: { PERCENT($y) } identified
label-missed = ○ { SHARE($x) } false alarms: { ATLEAST($y) } missed
label-prior = prior { BELIEF($prior) }
label-no_release = nothing published
label-named = after being named
label-ruled_out = after being ruled out
label-most = at the very most
label-limit = never more than { TIMES($limit) }
label-ratio_point = ○ { SHARE($x) } false alarms: { TIMES($y) } times
label-profile_point = ○ delta { GIVEN($delta) }: epsilon { NUMBER($epsilon) }
label-profile_none = delta { GIVEN($delta) }: no epsilon
label-ends_at = 0 from { NUMBER($epsilon) } on
label-proof = chance of a proof: { NUMBER($proof) }
label-release = this release{"\u2028"}with its noise changed
label-release_alone = this release: it has{"\u2028"}no epsilon at that delta
label-guarantee = any release with that{"\u2028"}epsilon and delta
label-everyone = naming everyone
label-fpr = { SHARE($fpr) } false alarms
label-now = now
label-names = named in the shaded part
label-proved = not shown: results that prove it, { PERCENT2($absent) } and { PERCENT2($present) }
label-without = without { pic-seen }
label-with = with { pic-seen }
label-count = { $count } of { $out_of } right
label-right = right
label-added = right because of { pic-seen }
label-wrong = wrong
label-number = { NUMBER($x) }
label-unrelated = if records{"\u2028"}were unrelated: { NUMBER($epsilon) }
label-bound = bound for every attacker
label-none = without noise
label-noise = with this noise
label-twice = with twice this noise
label-planned = planned effect
label-too_little = too little for the limits on risk
label-serves = serves both
label-serves-chosen = serves both; the diamond is recommended
label-too_much = too much for the analyst
label-nothing = no amount serves both

alt-roc = Line chart. Horizontal: share of { pic-out } whom the best attack names wrongly. Vertical: share of { pic-in } whom it identifies. With { SHARE($fpr) } false alarms, it identifies at most { PERCENT($power) }. Guessing would identify { SHARE($fpr) }. The largest gap to guessing is { POINTS($advantage) } percentage points.
alt-tradeoff = Line chart of the attacker's two errors. Horizontal: share of { pic-out } named wrongly. Vertical: share of { pic-in } whom the best attack misses. With { SHARE($fpr) } false alarms, it misses at least { ATLEAST($beta) }. Guessing would miss { SHARE($miss) }.
alt-proof = With a probability of up to { CHANCE($proof) }, a result proves { pic-proves }.
alt-precision_recall = Line chart, one line for each prior. Horizontal: the share of { pic-in } that is identified. Vertical: share of named cases that are right. { $sentences }
alt-precision_at = At a prior of { BELIEF($prior) } and with half of them identified, at most { PERCENT($precision) } of named cases are right.
alt-posterior = Line chart of belief after the publication against belief before it. The attacker wrongly names, or rightly rules out, { SHARE($fpr) } of { pic-out }. { $sentences }
alt-posterior_at = A belief of { BELIEF($prior) } becomes at most { PERCENT($posterior) } after being named, at least { ATLEAST($negative) } after being ruled out.
alt-relative_risk = Line chart. Horizontal: false alarms, as a share of { pic-out }. Vertical: by which factor being named raises the odds. At { SHARE($fpr) } it is at most { TIMES($ratio) } times. { $limit }
alt-limit_finite = However few are named, it is never more than { TIMES($limit) } times.
alt-limit_none = The fewer are named, the larger it grows, without a limit.
alt-limit_undetermined = Whether it has a limit is not known.
alt-profile = Line chart of delta against epsilon. { $at_delta } At epsilon = 0, delta is at most { NUMBER($advantage) }. { $tail }
alt-profile_at = At delta = { GIVEN($delta) }, epsilon is at most { NUMBER($epsilon) }.
alt-profile_none = At delta = { GIVEN($delta) } there is no finite epsilon.
alt-profile_ends = From epsilon = { NUMBER($ends_at) } on, delta is 0.
alt-profile_proof = Delta never falls below { NUMBER($proof) }. With that probability a result proves { pic-proves }.
alt-fscore = Line chart of the best attack's F-score (weight { GIVEN($weight) }, prior { BELIEF($prior) }) against epsilon at delta = { GIVEN($delta) }. This release ({ $epsilon }) allows at most { NUMBER($score) }; naming everyone reaches { NUMBER($everyone) }. Differences below epsilon { $unseen } cannot show in an F-score.
alt-fscore_epsilon = epsilon { NUMBER($epsilon) }
alt-fscore_none = no finite epsilon
alt-power_noise = Line chart of the share of { pic-in } whom the best attack identifies against the noise, from { SHORT($least) } to { SHORT($most) }. { $sentences }
alt-power_noise_at = At the present noise, with { SHARE($fpr) } false alarms, it identifies at most { PERCENT($power) }.
# The two laws of what is seen. $scale: "outcomes" (one of finitely many), "loss" (the log-likelihood ratio) or others.
alt-output_laws = The two laws of { $scale ->
    [outcomes] the outcome
    [loss] the log-likelihood ratio
   *[density] the published number
 }: { pic-without }, and { pic-with }. The best test with { SHARE($fpr) } false alarms identifies at most { PERCENT($power) }.
alt-icons = Two arrays of { $out_of } named each, in the same order. Without { pic-seen }, { $before } are right; with it, up to { $after }: { $added } more. The attacker gives each a chance of { BELIEF($prior) } beforehand and wrongly names { SHARE($fpr) } of { pic-out }.
alt-leakage = Chart of the worst attacker's epsilon at delta = { GIVEN($delta) } by how many other records they know. The worst knows { $known }; their epsilon is at most { SIZE($epsilon) }. { $more }
alt-leakage_skipped = { $skipped } other numbers of known records were not compared; the search shows that none of them is worse.
alt-leakage_unsure = The search was not exhaustive: others may learn more, up to an epsilon of { SIZE($bound) }.
alt-leakage_unrelated = If records were unrelated it would be { NUMBER($unrelated) }.
alt-audit = Line chart of what an attack identifies against its false alarms. Horizontal: share of { pic-out }. Vertical: share of { pic-in }. It shows what the claim allows at most and, as a band, what a measured attack reaches. { $verdict } { $said }
alt-audit_refuted = The claim is refuted with { SHARE($confidence) } confidence: at { PERCENT($fpr) } the attack identifies at least { $measured }, the claim allows at most { $claimed }.
alt-audit_not_refuted = The claim is not refuted at { SHARE($confidence) } confidence, which does not confirm it.
alt-audit_at = At { RATE($alpha) } the claim allows { PERCENT($power) } and the measurement proves { ATLEAST($measured) }.
alt-analyst_power = Line chart of the power of the analyst's test (level { SHARE($level) }) against the true effect. At the planned effect of { GIVEN($effect) }: { $said }
alt-analyst_none = without noise at least { ATLEAST($power) }.
alt-analyst_noise = With this noise at least { ATLEAST($power) }.
alt-analyst_twice = With twice this noise at least { ATLEAST($power) }.
alt-feasible = For each family of noise, the amounts that meet the limits on risk and leave the analyst the power needed. { $said }
alt-feasible_range = { $family }: { $parameter } from { $low } to { $high }.
alt-feasible_open = { $family }: { $parameter } from { $low } on.
alt-feasible_unmet = { $family }: none; no amount meets the limits.
alt-feasible_never = { $family }: none; even without noise the analyst has too little power.
alt-feasible_empty = { $family }: none; the limits need at least { $low }, the analyst at most { $high }.
size-infinite = infinite

# Several releases in one picture; $name: what the user called one of them.
label-belief = ○ { BELIEF($x) } before: at most { PERCENT($y) } after
label-score = ○ F-score { NUMBER($y) }
label-epsilon = ○ delta { GIVEN($y) }: epsilon { SIZE($x) }
label-point_named = ○ { PERCENT($x) } identified: { PERCENT($y) } right
label-share = { PERCENT($x) }
title-comparison = What the best attack identifies, compared
alt-overlay = Line chart with { $count } publications. { $said }
alt-overlay_roc = "{ $name }": with { SHARE($fpr) } false alarms, at most { PERCENT($power) } are identified.
alt-overlay_roc_log = { alt-overlay_roc }
alt-overlay_tradeoff = { alt-overlay_roc }
alt-overlay_precision_recall = "{ $name }": at a prior of { BELIEF($prior) } and with half of them identified, at most { PERCENT($precision) } of named cases are right.
alt-overlay_posterior = "{ $name }": a belief of { BELIEF($prior) } becomes at most { PERCENT($posterior) } after being named.
alt-overlay_relative_risk = "{ $name }": at { SHARE($fpr) } false alarms, being named makes it at most { TIMES($ratio) } times likelier.
alt-overlay_profile = "{ $name }": at delta = { GIVEN($delta) }, epsilon is at most { SIZE($epsilon) }.
alt-overlay_fscore = "{ $name }": the best attack's F-score is at most { NUMBER($score) }.
alt-overlay_comparison = "{ $name }": at most { PERCENT($power) }.
alt-comparison = Chart with a lane for each publication. It shows the share of { pic-in } whom the best attack identifies with { SHARE($fpr) } false alarms. Guessing would identify { SHARE($fpr) }. { $said }
figure-caption = Figure { $number }. { $title }
