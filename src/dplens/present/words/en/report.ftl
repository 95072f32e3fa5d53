### Reports: headings, tables and the sentences that only reports have. Variables are those of card.ftl.

report-language = en
report-kind = Privacy assessment
report-title = What this publication means
report-contents = Contents
report-colophon = This file holds everything it shows. It loads nothing and sends nothing.

# The first page: what was declared, and what it calls its parts.
report-skip = To the summary
front-organisation = Organisation
front-author = Author
front-reference = Reference
front-date = Date
front-status = Status
front-version = Version
sign-role = Role
sign-name = Name
sign-date = Date
sign-signature = Signature
section-analyst = Accuracy
section-declared = Decision
heading-worst = Worst case
section-glossary = Glossary
section-numbers = Numbers and how they are known
section-reproduce = The scenario file
verdict-state-kept = Limits met
verdict-state-noted = Limits met, with reservations
verdict-state-exposed = Limits met, but some people can be exposed
verdict-state-exceeded = Limits not met
verdict-state-open = Limits not proved
verdict-state-refuted = Description refuted
verdict-state-mildest = Nothing is claimed
verdict-state-none = No limits set
pair-before = By chance
pair-after = With this publication
# $most: "yes" if it is the largest possible count.
pair-count = { $most ->
    [yes] { who-up-to } { $count } of { $out_of }
   *[no] { $count } of { $out_of }
 }
more-published = { $count ->
    [one] One more publication is in the section of this name.
   *[other] { $count } more publications are in the section of this name.
 }
more-limits = { $count ->
    [one] One more limit is in the section on the decision.
   *[other] { $count } more limits are in the section on the decision.
 }
no-accuracy = No analysis was described, so we do not say whether the results are still useful.
# References to figures and tables. $targets: "Figure 2 and Table 1".
see = See { $targets }.
figure-label = Figure { $number }
table-label = Table { $number }
table-caption = Table { $number }. { $title }
heading-main = Main numbers
how-to-reproduce = Save the scenario from the report as scenario.yaml. Then run this with dplens { $version }: { $command }

fact-neighbours = Compared
fact-unit = Protected
fact-delta = Delta
fact-sampling = Sampling
fact-setting = Setting
fact-fpr = False alarms
fact-version = Made with

facts-neighbours = { $apart ->
    [replace] one { unit-each } replaced by another
    [local] two true answers of one { unit-each }
    [value] values of one { $unit } above { $gamma } and the others
   *[add_remove] with and without one { unit-each }
 }
# $n: number of records; 0 if not stated.
facts-unit = { $n ->
    [0] one { unit-each }; how many is not stated
   *[other] one { unit-each }, of { $n } { unit-records }
 }
facts-delta = { $source ->
    [given] { $delta } (given)
    [from_n] { $delta } (from the number of { unit-records })
   *[default] { $delta } (default)
 }
facts-sampling-none = none
facts-sampling-poisson = each { unit-record } by chance (Poisson)
facts-sampling-without_replacement = a fixed number of { unit-records }, at random
facts-sampling-one_in_clear = one { unit-record } at random, shown openly
facts-sampling-unknown = not known
facts-setting = { $setting ->
    [local] local: each { $unit } changes the answer at random
   *[central] central: the data holder adds the noise
 }
facts-fpr = { $fpr } of { who-out }
facts-version = dplens { $version }


intro-not_covered = The numbers do not cover these points. Look at them separately.
intro-numbers = Each answer is rounded towards more risk. The exact value lies between low and high. The route says how we know it.
intro-reproduce = Save this as scenario.yaml. Then run the command below it, or the lines of Python, with the same version.

section-attacker = The attacker
section-noise = More or less noise
section-looks = How the attack works
no-limits = No limit was set. The numbers alone do not say whether the risk is acceptable.
nobody-decides = Who accepts the remaining risk, and why, is not stated.
declared-unchecked = As stated by the applicant; not checked.
declared-unchecked-broken = It does not take the broken limits into account.
# What is seen: "density" (a number), "whole" (a whole number), "outcomes" (one of finitely many), "loss" (a ratio).
looks = { $scale ->
    [density] The attacker sees one number. The chart shows its two laws. Where the second is higher, the number is evidence.
    [whole] The attacker sees one whole number. The chart shows its two laws. Where the second is higher, the number is evidence.
    [outcomes] The attacker sees one of a few outcomes. The chart shows how likely each is in both cases. Where the second is higher, the outcome is evidence.
   *[loss] The attacker can sum up all that is published in one number, the log-likelihood ratio. The chart shows its two laws.
 }
looks-test = The best test with { $fpr } false alarms names where the evidence is strongest. It identifies { who-most } { $power } of the { who-in }.
# $half: "none" if it is not known.
noise = { $halved ->
    [yes] With { $fpr } false alarms, the best attack now identifies { who-most } { $now }. With half the noise, { $half }. With twice the noise, { $twice }.
   *[no] With { $fpr } false alarms, the best attack now identifies { who-most } { $now }. With twice the noise, { $twice }.
 }
certificate = How we know: { $routes }. Each number is known to within { $width } of its value.
certificate-wide = How we know: { $routes }. Some numbers are only roughly known; see low and high.
certificate-audit = How we know: measured. All bounds of one audit hold together with the stated confidence.
route-enumeration = enumeration (every outcome counted)
route-shift = shift (from the law of the noise)
route-cells = cells (two finite laws on either side)
route-leakage = leakage (the most that the exact limit on the odds allows)
route-convolution = convolution (of two laws, bounded from both sides)
route-simulation = simulation (random draws; no proof)
route-search = search (from both sides)
route-limit = limit (an approximation; no proof)
route-unknown = unknown (no certificate)
route-exact = exact (a formula or finite sum)
route-contour = contour (integrals with bounded errors)
route-grid = grid (rounded outwards to both sides)
route-orders = orders (the worst that the Rényi bounds allow)
route-lattice = lattice (sums with bounded errors)
route-spline = spline (piecewise polynomials)
route-imported = imported (the worst that another library's numbers allow)
route-measured = measured (a lower bound with a stated confidence)

table-pairs = { unit-many } named, by the chance given before
table-posterior = Belief before and after
table-precision_recall = Right among those named
table-roc = What the best attack identifies
table-relative_risk = Rise of the odds
table-profile = Epsilon and delta
table-power_noise = What the best attack identifies at other noise
table-fscore = Best F-score
table-output_laws = The best test
table-leakage = Worst attacker by what they know
table-analyst_power = Power of the analyst's test
table-audit = What is claimed and what is proved
table-audit-named = What is claimed and what is proved: "{ $name }"
table-answers = All answers
table-related = Answers about the worst attacker on related records
table-related-named = Answers about an attacker on related records: { $name }
table-related-unnamed = Answers about an attacker on related records
table-limits = Limits
table-analyst = The analyst's tests

head-claimed = identified, as claimed
head-measured = identified, as measured
head-prior = chance before
head-attacker = attacker
head-before = right by chance
head-after = right afterwards
head-out_of = of
head-posterior = after being named
head-negative = after being ruled out
head-most = at the very most
head-alpha = false alarms
head-power = identified
head-beta = missed
head-recall = identified
head-precision = right
head-ratio = odds, times
head-epsilon = epsilon
head-delta = delta
head-fpr = false alarms
head-noise = noise
head-factor = noise, times
head-fscore = F-score
head-threshold = names above
head-known = others known
head-route = route
head-question = question
head-answer = value
head-low = low
head-high = high
head-limit = limit
head-verdict = result
head-about = about
head-effect = effect
head-test = test
head-level = level
head-with_noise = power with the noise
head-without_noise = power without it
head-needed = needed

test-number = test { $number }
power-of = the power of the test: { $name }
# Verdicts in tables; a shape stands before each, for readers without colours.
verdict-word-kept = met
verdict-word-exceeded = broken
verdict-word-open = not proved
verdict-word-refuted = met only by the refuted claim
about-release = the publication
about-related = all attackers on related records
about-analyst = the analyst
no-scenario = No scenario file can hold this release ({ $why }).
kept-by-html = The assessment itself is in this file as JSON.
kept-by-markdown = A report in HTML, PDF or JSON has the assessment itself.

## Glossary: a word and its meaning. $about as in card.ftl.

glossary-named = Name, rule out
    .meaning = { $about ->
        [answer] What an attacker does who decides that someone's true answer is, or is not, the suspected one.
        [value] What an attacker does who decides that someone's value is, or is not, above the bound.
       *[membership] What an attacker does who decides that someone is, or is not, in the data.
     }
glossary-prior = Chance before (prior)
    .meaning = How likely the attacker thinks it is before the publication. We show several values, since nobody knows it.
glossary-odds = Odds
    .meaning = The chance that something is so, divided by the chance that it is not. A chance of 20 % is odds of 1 to 4.
glossary-fpr = False alarms (alpha)
    .meaning = The share of { who-out } whom an attacker names wrongly.
glossary-power = Identified (power)
    .meaning = The share of { who-in } whom the attacker names rightly.
glossary-curve = Trade-off curve
    .meaning = For every rate of false alarms, the least share that any attack must miss. Everything here is read from it.
glossary-advantage = Advantage
    .meaning = The largest difference between the share identified and the share of false alarms, over all attacks.
glossary-epsilon = Epsilon, delta
    .meaning = The two numbers by which people state differential privacy. They are one point of the curve.
glossary-neighbours = Neighbours
    .meaning = { $about ->
        [answer] The two cases an attacker must tell apart: one true answer of someone, or another.
        [value] The two cases an attacker must tell apart: a value above the bound, or one that is not.
       *[membership] The two data sets an attacker must tell apart: with and without one record, or with another in its place.
     }
glossary-unit = Unit of protection
    .meaning = What one record stands for: a person, a household, a visit.
glossary-certificate = Certificate
    .meaning = How we know a number, and between which ends the exact value lies.
glossary-auc = AUC
    .meaning = The area under the attacker's curve. Never read it alone: it can look harmless although a few people are exposed.
