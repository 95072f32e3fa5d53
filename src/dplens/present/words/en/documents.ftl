### Reports of comparisons, audits, decisions and every other result. Numbers arrive formatted and rounded.
### A key ends in the name of a kind of result; one without a name is for all others.

## Titles. $kind: what the result is, such as "Calibration".

document-title = { $kind }
document-title-comparison = Which publication protects better
document-title-changes = What has changed
document-title-side-by-side = { $count } publications side by side
document-title-decision = How much noise to add
document-title-audit = What a measured attack proves
document-title-one-run-audit = What guesses about one run prove
document-title-refutation = A claim and a measured attack
document-title-worst = What attackers learn if people are related
document-title-view = What one attacker learns if people are related
document-title-frameworks = Notions of privacy if people are related
document-title-solution = Plan of a study
document-title-calibration = The riskiest parameter that meets the limits
document-title-budget-split = How a budget is split

## The verdict in a word or two, beside its shape

document-state-met = { verdict-state-kept }
document-state-broken = Not met
document-state-open = { verdict-state-open }
document-state-none = For information
document-state-met-decision = Noise that serves both sides
document-state-broken-decision = No noise serves both sides
document-state-none-comparison = Compared
document-state-none-changes = Changes
document-state-none-audit = Lower bounds
document-state-none-one-run-audit = Lower bounds
document-state-broken-refutation = Claim refuted
document-state-none-refutation = Claim not refuted
document-state-none-worst = Worst attacker
document-state-broken-frameworks = A published inequality fails
document-state-none-solution = Plan
document-state-some-side-by-side = Not all were judged
# The verdict on an audit without a claim: what is proved. $least: a share of people, or epsilon.
document-proved = { $kind ->
    [power] With { $confidence } confidence, an attack with { $rate } false alarms identifies at least { $least } of the people in the data.
    [epsilon] With { $confidence } confidence, epsilon is at least { $least }.
   *[nothing] This attack proves no risk (confidence { $confidence }). Another attack may find more.
 }

## What it is about

document-about = This report gives one result with all its numbers.
# $count: how many publications.
document-about-comparison = We compare { $count } publications by what attackers can learn. A publication is safer if every attack finds fewer people.
document-about-side-by-side = We compare { $count } publications, each under its own description. Their limits and numbers stand side by side.
# $before, $after: titles.
document-about-changes = We compare two assessments. Before: { $before }. After: { $after }.
document-about-audit = An attack was run on the publication. Its results prove that at least this much can be learned.
document-about-one-run-audit = Test records (canaries) were put into one run, and an attacker guessed which. The right guesses prove that at least this much can be learned.
document-about-refutation = We hold a measured attack against what was claimed.
document-about-audited = We hold a measured attack against what was claimed.
document-about-audit-plan = This plan says how large an audit must be to find a flaw.
document-about-worst = Records of related people tell something about each other. We look for the attacker who learns most from that.
document-about-view = Records of related people tell something about each other. This attacker knows how, and may know some of the records.
document-about-frameworks = There are several notions of privacy for related records. We give the epsilon of each for the same publication.
document-about-calibration = We look for the parameter with the least noise that still meets every limit.
document-about-budget-split = Several numbers are published under one limit. We say how much noise each of them gets.
# $unknown: such as "n" or "noise".
document-about-solution = We solve the plan of a study for { $unknown }.
document-claim = The claim: { $claim }.
document-other-neighbours = These publications differ in what an attacker must tell apart. So their numbers answer different questions.
document-door-privacy-first = We start from the risk that is acceptable. Then we look for noise that leaves the analysis enough power.
document-door-utility-first = We start from the power that the analysis needs. Then we look for the noise that tells attackers least.
document-wanted = The analysis needs a power of { $power }.
document-not-stated = It is not stated what this is for, or who will see it.
document-model-assumed = The numbers hold for this model of how records are related. If people are related in another way, attackers may learn more.

## What it does not cover

document-not-covered = These numbers say nothing about errors in software, nor about people who see the data themselves.
document-not-covered-comparison = We compare these publications alone. Other publications from the same data add to what attackers learn.
document-not-covered-changes = We compare these publications alone. Other publications from the same data add to what attackers learn.
document-not-covered-side-by-side = Each publication is looked at alone. If several of them are published, attackers learn more than from each.
document-not-covered-decision = The numbers do not say which risk is acceptable. Errors in software and other publications are not covered.
document-not-covered-audit = No attack can confirm a guarantee: another attack may find more.
document-not-covered-one-run-audit = No attack can confirm a guarantee: another attack may find more.
document-not-covered-refutation = No attack can confirm a guarantee: another attack may find more.
document-not-covered-audited = No attack can confirm a guarantee: another attack may find more.
document-not-covered-solution = The plan says nothing about what attackers learn. Assess the publication for that.

## Headings and tables

heading-about = What this is about
heading-results = Results
heading-claim = The claim
heading-reasons = How we chose
heading-feasible = How much noise serves both sides
heading-concessions = What would have to change
heading-planning = What the plan rests on
document-head-what = quantity
document-head-value = value
document-head-publication = publication
document-head-verdict = verdict
document-head-pair = right when named, up to
# Of $out_of people named, $before would be right by chance and $after with the publication.
document-head-related = epsilon if people are related, up to
document-pair = { $after } of { $out_of } ({ $before } by chance)
document-epsilon = { $epsilon } (delta { $delta })
document-table-main = { heading-main }
document-table-1 = Numbers
document-table-2 = Further numbers
document-table-3 = Further numbers
document-table-claim = The claim and the measurement
document-table-1-side-by-side = Verdicts and main numbers
document-table-1-decision = Every family of noise that we looked at
document-table-1-changes = Answers before and after
document-table-2-changes = Inputs before and after
document-table-1-worst = The worst attacker by what they know
document-table-1-budget-split = What each test gets
document-table-2-budget-split = Limits and answers
document-table-1-calibration = Limits and answers
# $shown of $count rows.
document-more-rows = Page one shows { $shown } of { $count } rows. The section on the results has all.
# $low, $high: amounts of noise. $state: "open" without an upper end.
document-range = { $state ->
    [empty] No amount of noise serves both sides. The limit needs { $parameter } of at least { $low }. The analyst can bear at most { $high }.
    [open] The limit needs { $parameter } of at least { $low }. Nothing was said that limits the noise.
   *[closed] The limit needs { $parameter } of at least { $low }. The analyst can bear at most { $high }.
 }
document-no-range = There is no range of noise to show.

## The page that lists the reports of a folder

index-title = Reports
# $read of $count files could be read.
index-intro = { $count ->
    [one] { $read ->
        [0] The file could not be read.
       *[other] The file could be read.
     }
   *[other] { $read } of { $count } files could be read.
 }
index-head-title = title
index-head-verdict = verdict
index-head-said = in a sentence
index-head-files = files
index-failed = Not read
kind-side-by-side = Comparison
