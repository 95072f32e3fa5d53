### What the commands print beside cards and reports. Numbers arrive formatted.

written = Written: { $file }
written-bytes = Written: { $file } ({ $bytes } bytes)
every-number = Every number with its bracket
every-head-question = question
every-head-answer = answer
every-head-low = low
every-head-high = high
every-head-route = known by

# How a number is known, in a table; $route: a key such as "grid".
route-short = { $route }

## What a terminal shows while something takes long

waiting-assess = Assessing … (Ctrl-C stops it)
waiting-report = Writing the report … (Ctrl-C stops it)
waiting-compare = Comparing … (Ctrl-C stops it)
waiting-search = Searching … (Ctrl-C stops it)
waiting-convert = Converting … (Ctrl-C stops it)
waiting-families = Looking at every family of noise … (Ctrl-C stops it)
waiting-draw = Drawing the feasible range … (Ctrl-C stops it)
waiting-count = Counting … (Ctrl-C stops it)
waiting-power = Working out the power … (Ctrl-C stops it)
waiting-solve = Solving … (Ctrl-C stops it)
waiting-worst = Searching for the worst attacker … (Ctrl-C stops it)

## calibrate. $value: the number that was found, with all digits; $name: of the parameter, such as "sigma".

calibrated = { $name } = { $value }
# The search ended where the library can compute no further. $why: a sentence, an error in English.
calibrate-refused = { $larger ->
    [yes] No limit was reached: dplens takes no larger { $name } here. { $why }
   *[no] No limit was reached: dplens takes no smaller { $name } here. { $why }
 }

## convert: notions of privacy

convert-epsilon = epsilon at delta { $delta }
convert-mu = mu (Gaussian differential privacy)
convert-zcdp = rho (zero-concentrated)
convert-renyi = Rényi divergence of order { $order }
convert-delta = delta at epsilon { $epsilon }
convert-power = identified with { $rate } false alarms
convert-advantage = advantage
convert-auc = area under the ROC curve (never alone)
convert-head-notion = notion
convert-head-value = value
convert-failure = { $failure ->
    [none] Worst case: the odds have a limit.
    [graceful] Worst case: no result can prove anything, but the odds have no limit.
    [catastrophic] Worst case: a result can prove something.
   *[undetermined] Worst case: not known.
 }

## audit

audit-proved = Proved with { $confidence } confidence
audit-head-bound = bound
audit-head-least = at least
audit-all-guessed = We assume that the attack guessed about every canary. If there were more, pass --canaries.

## power

power-noise = Power with the noise: { $power } (rounded down).
power-none = Power without noise: { $power }.
power-solved = { $name } = { $value }
power-reached = This gives a power of { $power }.

## choose

choose-every = Every family that we looked at
choose-head-family = family
choose-head-noise = noise
choose-head-worst = worst case
choose-head-power = power
choose-head-admissible = possible
choose-worst = { $failure ->
    [none] odds limited
    [graceful] no proof
    [catastrophic] proof possible
   *[undetermined] not known
 }
choose-yes = yes
choose-no = no

# $parameter: a key such as "sigma"; $amount: of it.
choose-noise = { parameter-name } = { $amount }

## leak

leak-described = The attacker you describe

## reproduce

reproduced-head-name = name
reproduced-head-place = place
reproduced-head-verdict = verdict
reproduced-head-what = what
# $verdict: "MATCHES", "CORRECTED", "CONDITION" or "FAILS". What the papers say stays in English.
reproduced-verdict = { $verdict ->
    [MATCHES] matches
    [CORRECTED] matches after correcting a misprint
    [CONDITION] holds with a condition
   *[FAILS] does not hold
 }
reproduced-reading = { $reading ->
    [rounded] rounded
    [cut] cut
   *[differs] differs
 }
reproduced-number = { $what }: printed { $printed }, ours { $ours } ({ reproduced-reading }).
reproduced-errors = The papers err in { $count } places: { $file }

## Questions that choose asks in a terminal

# The numbers of two answers.
ask-or = { $first } or { $second }
ask-blatant = May a result prove that someone is in the data?
ask-sure = May an attacker become as sure as they like, if only rarely?
ask-power = Which power must be left?
ask-door = Where do you start?
ask-door-privacy = I have a limit on the risk (privacy first)
ask-door-utility = I need this much power (utility first)
ask-limit = How do you state the risk you can accept?
ask-limit-odds = by how much the odds may rise
ask-limit-members = how many people in the data an attack may identify
ask-factor = By which factor may the odds rise, at most?
ask-rate = At which rate of false alarms?
ask-share = Which share of the people in the data may it identify, at most?
ask-analysis = Is there an analysis that needs the number?
ask-n = Number of records
ask-low = Least possible value of one record
ask-high = Largest possible value
ask-effect = Difference of the mean that must be seen
ask-level = Chance of a false alarm that you accept
