### Results in a notebook: what they are, and labels of their numbers. Numbers arrive formatted and rounded.

## What a result is

kind-analyst-answer = Power of an analysis
kind-answer = Answer
kind-answer-change = Changed answer
kind-assessment = Assessment
kind-attack = Attack
kind-audit = Audit
kind-audit-plan = Plan of an audit
kind-audited = Measured attack
kind-budget-split = Split of a budget
kind-calibration = Calibration
kind-changes = Changes
kind-chart-frame = Table behind a picture
kind-comparison = Comparison
kind-concession = Concession
kind-conversion-curves = Conversion curves
kind-conversions = Notions of privacy
kind-critical = Critical region
kind-decision = Decision
kind-f-score-curve = F-scores
kind-f-score-entry = Limit on an F-score
kind-f-score-table = Limits on F-scores
kind-figure = Figure of a paper
kind-fondeville-figure = Figure of a paper
kind-frame = Table
kind-frameworks = Notions of privacy for related records
kind-inequality = Published inequality
kind-input-change = Changed input
kind-interval = Confidence interval
kind-knowledge-graph = Graph of attackers
kind-least = Least that explains the measurement
kind-limit-comparison = Limit of many steps
kind-limit-verdict = Limit
kind-loss-law = Privacy loss
kind-multiple-power = Power of several tests
kind-multiple-verdict = Verdicts of several tests
kind-noise-error = Error of the noise
kind-noise-range = Range of noise
kind-one-run-audit = Audit of one run
kind-option = Family of noise
kind-picture = Picture
kind-pr-curve = Precision and recall
kind-privacy-loss = Privacy loss
kind-ranked = Family of noise
kind-ranking = Families of noise
kind-refutation = Verdict on a claim
kind-related = Related records
kind-related-attacker = Attacker on related records
kind-relation = Relation of two releases
kind-renyi-routes = Epsilon by Rényi divergences
kind-risk-card = Risk card
kind-route = Conversion
kind-runs = Runs of an audit
kind-scenario = Scenario
kind-section = Section
kind-solution = Solved design
kind-verdict = Test
kind-view = Attacker on related records
kind-words = Assessment in words
kind-worst = Worst attacker on related records

## Verdicts

# $more: "yes" if more is riskier. $bound: as it was given.
book-limit-bound = { $more ->
    [yes] at most { $bound }
   *[no] at least { $bound }
 }
book-verdict-kept = ✓ met
book-verdict-exceeded = ✗ broken
book-verdict-open = ? not proved
book-verdict-refuted = ✗ met only by the refuted claim
# $parameter: of the noise, such as "sigma"; $amount: of it.
book-recommended = We recommend { $family } with { $parameter } = { $amount }.
book-no-family = No family of noise serves.
# $bound: on the epsilon of every attacker. $compared: how many attackers.
book-worst-exhaustive = We compared { $compared } attackers. No other attacker learns more.
book-worst-open = We compared { $compared } attackers. Others may learn more, up to { $bound }.
# $claim: a formula.
book-inequality-fails = This published inequality fails here: { $claim }
book-holds = It holds here.
book-fails = It fails here.
book-no-bound = The values of this graph are no bounds. Use view and leakage for decisions.
book-some-rows = { $shown } of { $count } rows
book-yes = yes
book-no = no

## Labels of numbers

# $what: another label.
book-at-least = { $what }, at least
# $rate: rate of false alarms.
book-identified-at = identified with { $rate } false alarms
book-accuracy = right guesses
book-adjusted = p-value, corrected
book-advantage = advantage
book-after = after
book-all = all effects found
book-answer = answer
book-any = any effect found
book-attackers = attackers compared
book-auc = area under the ROC curve
book-bayesian = Bayesian privacy
book-before = before
book-blowfish = Blowfish
book-bound = bound
book-canaries = canaries
book-certified = certified answer
book-claimed = identified, as claimed, at most
book-confidence = confidence
book-correct = right guesses
book-crossing = the curves cross
book-crossings = crossings
book-delta = delta
book-dependent = dependent privacy
book-determined = knows it already
book-done = finished runs
book-dp = differential privacy
book-effect = effect
book-empty = empty
book-epsilon = epsilon
book-epsilon-improved = epsilon, improved conversion
book-epsilon-standard = epsilon, standard conversion
book-equal = no provable difference
book-error = error
book-evaluations = parameters tried
book-false-alarms = any false alarm
book-family = family
book-first = first
book-floor = F-score of naming everyone
book-fpr = false alarms
book-fscore = F-score
book-group = bound for the group
book-guaranteed = at least, whatever the others
book-guesses = guesses
book-high = high
book-inferential = inferential privacy
book-input = input
book-interval = half-width of 95 %
book-known = others known
book-leakage = leakage
book-left = left side
book-level = level
book-limit = limit
book-loss = loss
book-low = low
book-mean = mean
book-mean-absent = mean, target absent
book-mean-absolute = mean absolute error
book-mean-present = mean, target present
book-measured = identified, as measured, at least
book-mechanism = release
book-membership = membership privacy
book-met = met
book-mu = mu
book-mutual-information = mutual information
book-n = needed
book-n-in = scores with the target
book-n-out = scores without it
book-needed = needed
book-now = now
book-order = order
book-order-improved = order of the improved conversion
book-order-standard = order of the standard conversion
book-others-known = others known
book-p-value = p-value
book-parameter = parameter
book-power = power
book-power-without-noise = power without noise
book-precision = right when named
book-prior = chance before
book-probability = probability
book-pufferfish = Pufferfish
book-recall = recall
book-related-bound = Epsilon at delta { $delta } if people are related, at most
book-refuted = refuted
book-reject = rejected
book-rejected = rejected
book-relation = relation
book-right = right side
book-riskier = riskier
book-route = known by
book-runs = runs in all
book-safer = safer
book-second = second
book-seed = seed
book-target = target
book-test = test
book-tests = tests
book-threshold = names above
book-tuples = tuples
book-value = value
book-variance = variance
book-variance-absent = variance, target absent
book-variance-present = variance, target present
book-verdict = verdict
book-weight = weight
book-why = note
