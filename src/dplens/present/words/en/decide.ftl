### Decisions about noise: reasons, concessions, assumptions. Numbers arrive formatted and rounded.
### $releases: names of values that were read from earlier releases, such as "n and sd"; $spent is "yes" if there are any.
### $family: a key such as "gaussian", of which family-name makes words; $rival: another one.
### $parameter: a key such as "sigma", of which parameter-name makes words; $amount: of it.

## Names

family-name = { $family ->
    [laplace] Laplace noise
    [staircase] staircase noise
    [gaussian] Gaussian noise
    [geometric] geometric noise
    [discrete_gaussian] discrete Gaussian noise
   *[other] { $family }
 }
rival-name = { $rival ->
    [laplace] Laplace noise
    [staircase] staircase noise
    [gaussian] Gaussian noise
    [geometric] geometric noise
    [discrete_gaussian] discrete Gaussian noise
   *[other] { $rival }
 }
parameter-name = { $parameter ->
    [noise] size
   *[other] { $parameter }
 }
# $name: a value of a plan, such as "n" or "sd".
planned-name = { $name ->
    [n2] n of the second group
    [sd] standard deviation
    [sd2] standard deviation of the second group
    [sd_x] standard deviation of x
    [mean_x] mean of x
    [mean_y] mean of y
    [null] tested value
    [bounds] possible values
    [x_bounds] possible values of x
    [y_bounds] possible values of y
    [ratio] ratio of the standard deviations
   *[other] { $name }
 }

## Privacy first

decide-blatant = { $ok ->
    [yes] A result may prove that someone is in the data.
   *[no] No result may prove that someone is in the data. Families that can do so are out.
 }
decide-sure = { $ok ->
    [yes] An attacker may become almost certain, if only rarely.
   *[no] No attacker may become almost certain. The odds must have a limit.
 }
# $limits: the limits, such as "epsilon at delta 0 at most 1".
decide-limit = The risk you accept: { $limits }.
decide-limit-one = { $more ->
    [yes] { $question }, at most { $bound }
   *[no] { $question }, at least { $bound }
 }
decide-met = { $spent ->
    [yes] Together with the release of { $releases }, the limit is met with { parameter-name } = { $amount }.
   *[no] The limit is met with { parameter-name } = { $amount }.
 }
decide-met-power = { decide-met } The analyst's power is then { $power }.
decide-forbidden-proof = { decide-together } a result can prove that someone is in the data. That is not accepted.
decide-forbidden-sure = { decide-together } an attacker can become almost certain, if rarely. That is not accepted.
decide-forbidden-unknown = { decide-together } we do not know whether a result can prove something. That is not accepted.
decide-together = { $spent ->
    [yes] Together with the release of { $releases },
   *[no] With this noise,
 }
# A reason about one family.
decide-reason = { family-name }: { $why }
decide-none-serves-power = No family serves both sides. Under the limit, the most power is { $power } ({ family-name }). { $needed } is needed.
decide-none-serves = No family serves both sides.
decide-none-admissible = No family is left: the answers to the three questions rule out all of them.
decide-excluded = The release of { $releases } rules them out, whatever noise is chosen now.
decide-best-guarantee = { $mildest ->
    [yes] Our choice is { family-name }. Of the families that meet the limit and have the mildest worst case, it has the strongest guarantee.
   *[no] Our choice is { family-name }. Of the families that meet the limit, it has the strongest guarantee.
 }
# $case: "alone" (only this family has the mildest worst case), "some" (so have others) or "all" (all have the same).
decide-best-power = Our choice is { family-name }. { $case ->
    [alone] Only it has the mildest worst case. It leaves the analyst a power of { $power }.
    [some] Of those with the mildest worst case, it leaves the analyst the most power, { $power }.
   *[all] It leaves the analyst the most power, { $power }.
 }
# $tied: other families with nearly the same power.
decide-best-tied = Our choice is { family-name }. { $case ->
    [some] Of those with the mildest worst case, it leaves the analyst a power of { $power }.
   *[all] It leaves the analyst a power of { $power }.
 } That is within half a percentage point of { $tied }, and its guarantee is stronger.
decide-more-power = More power, { $power }, is left by { family-name }, but its worst case is worse.

## Utility first

decide-needs = The analyst needs a power of { $needed }. Without noise it is { $known }.
decide-needs-less = The analyst needs a power of { $needed }, since { $loss } of { $most } may be lost. Without noise it is { $known }.
decide-leaves = It leaves a power of { $power } with { parameter-name } = { $amount }.
# $violations: one or more of decide-violation.
decide-too-much = { $spent ->
    [yes] Together with the release of { $releases }, the limit is broken at { parameter-name } = { $amount }. The analyst cannot bear more noise. { $violations }
   *[no] The limit is broken at { parameter-name } = { $amount }. The analyst cannot bear more noise. { $violations }
 }
decide-violation = The answer is { $answer }, not { $bound }, to: { $question }.
decide-overspent = The release of { $releases } alone breaks the limit. { $violations }
# $endless: "yes" if the evidence has no limit; $nearest: else the nearest answer that can be reached.
decide-unreachable = No amount of this noise provably meets the limit: { $question }, { limit-bound }. { $endless ->
    [yes] Its evidence has no limit, though strong evidence is rare. State the limit at a rate of false alarms or a delta above 0. Or take noise that limits it, such as Laplace noise.
   *[no] The nearest that can be reached is { $nearest }.
 }
decide-too-weak = No noise is little enough: even without any, or with hardly any, the power is { $power }. { $needed } is needed. More records, a larger effect or a larger level would raise it.
decide-best-only = Our choice is { family-name }. No other family that we looked at serves.
decide-best-alone = Our choice is { family-name }. Of those that leave this power, only it has the mildest worst case.
decide-best-all = Our choice is { family-name }. Of those that leave this power, it gives the attacker least by every measure.
decide-best-mild = Our choice is { family-name }. Of those with this power and the mildest worst case, it gives the attacker least by every measure.
decide-best-advantage = { $mildest ->
    [yes] Our choice is { family-name }. Of those with this power and the mildest worst case, it gives the attacker the least advantage, { $advantage }.
   *[no] Our choice is { family-name }. Of those that leave this power, it gives the attacker the least advantage, { $advantage }.
 }
# Another family is better by one measure.
decide-not-best = It is not the best by every measure. By one, { rival-name } does better ({ $theirs } against { $own }): { $question }.
decide-accepted = { $spent ->
    [yes] Together with the release of { $releases }, the risk to accept is mu = { $mu }, epsilon = { $epsilon }.
   *[no] The risk to accept is mu = { $mu }, epsilon = { $epsilon }.
 }

## The attacker and the analyst, one sentence each for a review board

decide-attacker = Suppose an attacker gives each person a { $prior } chance of being in the data. { who-of } people they name, { $before } would be correct by chance. { $spent ->
    [yes] With this publication and the release of { $releases }, up to { $after }.
   *[no] With this publication, up to { $after }.
 } (They wrongly name { $fpr } of the people who are not in the data.)
decide-worst = { $failure ->
    [none] Whatever is published, the odds can change by no more than a fixed factor.
    [graceful] No published result can prove that someone is in the data. Strong evidence is possible, but the stronger it is, the rarer.
    [catastrophic] With some probability, a published result proves that a particular person is in the data.
   *[undetermined] We do not know whether a published result can prove that someone is in the data.
 }
decide-analyst = Of 100 studies with a true effect of { $effect }, about { $after } find it through the noise. Without noise, { $before } would. { $odd ->
    [yes] (A count without noise cannot use up all of its level.){" "}
   *[no] {""}
 }If there is no effect, at most { $level } of studies claim one.

## Concessions: what would have to change

concede-records = With { family-name }, { $needed } records instead of { $now } would be enough ({ $times } times as many), with the limit as it is.
concede-records-none = No number of records is enough: the noise does not shrink with them.
# $why: a sentence, an error in English.
concede-records-unknown = We did not find the number of records that is enough. { $why }
concede-records-fixed = This holds if one record changes the result by { $sensitivity }, whatever the number of records.
concede-effect = With { family-name }, an effect of { $needed } instead of { $now } would be found often enough under the limit.
concede-effect-none = No effect is large enough to be found so often.
concede-effect-most = Even the largest possible effect, { $most }, is not found often enough.
concede-limit-none = No limit is loose enough: even without noise, the power is below { $power }.
concede-limit = With { family-name }, the answer is { $needed } instead of { $bound }. The limit must give way on: { $question }.
concede-without-n = Even without noise, { $needed } records instead of { $now } are needed.
concede-without-effect = Even without noise, an effect of { $needed } instead of { $now } is needed.
concede-without-unknown = Even without noise, we did not find the value of { $what } that is enough. { $why }
concede-without-most = This is so even without noise. { $why }

## Assumptions

assume-neighbours = { $neighbours ->
    [replace] We compare data sets in which one record is replaced by another. That changes the result by at most { $most }.
   *[add_remove] We compare data sets with and without one record. That changes the result by at most { $most }.
 }
# Several numbers are published; $root: the root of the sum of squares of all changes.
assume-neighbours-several = { $neighbours ->
    [replace] We compare data sets in which one record is replaced by another. That changes the numbers by at most { $most } in sum, and { $root } as the root of the sum of squares.
   *[add_remove] We compare data sets with and without one record. That changes the numbers by at most { $most } in sum, and { $root } as the root of the sum of squares.
 }
assume-unit = What is protected: one record. The attacker may know all others.
assume-deltas = Epsilon is given at delta 0 and at delta 1e-6.
assume-counted = The numbers include what the release of { $releases } gave away ({ $shown }). The attacker sees it too.
# $count: "yes" if the number of records was estimated and could share a budget.
assume-uncounted = What the release of { $releases } gave away comes on top: the plan does not say what it was. Pass PlanningValue(..., release=mechanism), as private_n does. { $count ->
    [yes] Or plan a share for the count by split_budget(count_share=...).
   *[no] {""}
 }
# Sums of distances from a centre are divided by the planned number of records. $groups: "yes" for two groups.
assume-divided = { $groups ->
    [yes] Divide sums of distances from { assume-centre } by the planned numbers, { $n } and { $n2 }, even if a group has fewer records. Use the same value for both groups.
   *[no] Divide sums of distances from { assume-centre } by the planned number, { $n }, even if there are fewer records.
 } Only then does one record change no more. { $centre ->
    [null] With that value the level holds, too.
   *[other] The level holds if there are at least as many as planned.
 }
assume-centre = { $centre ->
    [null] the tested value ({ $null })
    [bounds] one value between { $low } and { $high }
   *[any] one possible value
 }
assume-normal = We take the sampling error of { tested-what } to be normal. That may be wrong for few or skewed records.
planned-source = { $noted ->
    [yes] { planned-origin } ({ $note })
   *[no] { planned-origin }
 }
planned-origin = { $source ->
    [public] public knowledge
    [worst_case] the worst case, whatever the data
    [private_estimate] estimated by a noisy release of its own
   *[not_stated] source not stated
 }
planned-value = Planned: { planned-name } = { $shown } – { $origin }.

## Verdicts of tests on a published number

# $what: a key for the tested quantity; $phrase: the same in English, for those that are not listed. $side: "larger", "smaller" or "two-sided". $null: the tested value.
# $noisy: "yes" if the number has protective noise. $p: the p-value, $level: its limit.
tested = { $rejects ->
    [yes] There is enough evidence that { tested-what } is { tested-side } { $null }.
   *[no] There is not enough evidence that { tested-what } is { tested-side } { $null }.
 } { $noisy ->
    [yes] If it were not, sampling error and noise together would give so extreme a number with a probability of at most { $p }.
   *[no] If it were not, sampling error would give so extreme a number with a probability of at most { $p }.
 } It had to be at most { $level }.
tested-what = { $what ->
    [mean] the mean
    [difference-of-the-means] the difference of the means
    [proportion] the proportion
    [difference-of-the-proportions] the difference of the proportions
    [departure-from-independence] the departure from independence
    [slope] the slope
    [value] the value
   *[other] { $phrase }
 }
tested-side = { $side ->
    [larger] larger than
    [smaller] smaller than
   *[two-sided] different from
 }
# An interval for the same quantity.
tested-interval = With { $confidence } confidence, { tested-what } lies between { $low } and { $high }.
tested-interval-holds = It holds { $null } since it allows for errors on both sides, and the test for one.

# Sentences after one another.
several = { $sentences }
# $rows and $columns: shares, such as "0.5, 0.5". $origin: where they are known from.
assume-margins = The level holds for the declared margins ({ $rows } by { $columns }): { $origin }.
# $order: names of four sums. $scaled: formulas.
assume-sums = The four sums are { $order }, of { $scaled }.
# $values: sentences such as "Planned: mean of x = 3 – public knowledge."
assume-means = The level holds for these declared values. { $values }

## Why a family of noise is not offered. $code: a number as Python writes it.

refused-neighbours = It is made for neighbours='{ $own }', but the release of { $releases } counts for neighbours='{ $counted }'. Pass neighbours='{ $counted }' to the mechanism, with the sensitivity that goes with it.
refused-sensitivity = It is made for a sensitivity of { $own }. One record changes the result by up to { $needed }, so it would protect less than it says. So pass it sensitivity={ $code }.
refused-several = One record changes { $count } published numbers. This noise gives away more of them together than of one. Use Gaussian or Laplace noise, or publish one number.
