### What changed between two assessments, and releases side by side. Numbers arrive formatted and rounded.

changed-risk = { $risk ->
    [higher] The risk is higher than before.
    [lower] The risk is lower than before.
    [mixed] The risk is higher by some measures and lower by others.
   *[same] The risk is the same as before.
 }
# Where the numbers of the descriptions are not the whole truth.
changed-by-description = { $risk ->
    [higher] By the descriptions alone, the risk is higher than before.
    [lower] By the descriptions alone, the risk is lower than before.
    [mixed] By the descriptions alone, the risk is higher by some measures and lower by others.
   *[same] By the descriptions alone, the risk is the same.
 }
changed-refuted-before = A measured attack shows that the risk before was higher than stated.
changed-refuted-after = A measured attack shows that the risk is now higher than stated.
changed-refuted-both = Measured attacks show that the risk is higher than stated, both before and now.
changed-mildest = The true risk may be higher: not every number rests on a claim.
changed-related-before = Only the old numbers count what related records give away.
changed-related-after = Only the new numbers count what related records give away.
changed-related-bound = What related records can give away has changed.
changed-missed = We cannot prove a limit that is checked only now: { $question }, { limit-bound }.
changed-nothing = Nothing changed.
changed-neighbours = But the protected unit or the comparison changed, so old and new numbers answer different questions.
# The worst case before and after: "none" (no result proves anything, all evidence is bounded), "graceful" (strong
# evidence is rare, nothing is proved), "catastrophic" (a result can prove something), "undetermined" (not known).
changed-failure = Worst case before: { $before ->
    [none] the odds had a limit
    [graceful] no result could prove anything, but the odds had no limit
    [catastrophic] a result could prove something
   *[undetermined] not known
 }. Worst case now: { $after ->
    [none] the odds have a limit
    [graceful] no result can prove anything, but the odds have no limit
    [catastrophic] a result can prove something
   *[undetermined] not known
 }.
# $place: where in the scenario, such as "releases, 1, sigma".
changed-input = Changed: { $place }, from { $before } to { $after }.
changed-new = New: { $place }, { $after }.
changed-gone = Gone: { $place }, which was { $before }.
changed-none = none
# $question: "Epsilon at delta 1e-6".
changed-answer = { $question }: { $before } before, { $after } now.
changed-related = If people are related, { $question }: { $before } before, { $after } now.
changed-power = Power of the analysis "{ $name }": { $before } before, { $after } now.
changed-asked = Only asked now: { $question }.
changed-unasked = Only asked before: { $question }.
changed-limit = { $met ->
    [yes] We can now prove a limit that we could not prove before: { $question }, { limit-bound }.
   *[no] We can no longer prove a limit that we proved before: { $question }, { limit-bound }.
 }

## Releases side by side. $a and $b: their names as the user wrote them.

compared-safer = { $a } protects better than { $b } at every rate of false alarms.
compared-riskier = { $b } protects better than { $a } at every rate of false alarms.
compared-equal = { $a } and { $b } protect alike. We can prove no difference.
compared-crossing = { $where ->
    [none] Neither always protects better: the curves of { $a } and { $b } cross.
   *[some] Neither always protects better: the curves of { $a } and { $b } cross at { $rates } false alarms.
 }
# $said: one of the sentences above.
compared-by-description = By the descriptions alone: { $said }
compared-refuted = A measured attack shows that the risk of { $name } is higher than stated.
compared-next-to = { $end ->
    [zero] next to 0
   *[all] next to 100 %
 }
# $first and $second: what neighbours are, as in report-neighbours.
compared-neighbours = But { $a } and { $b } compare different data sets ({ $first }; { $second }). Their curves answer different questions.
compared-by = Compared by: { $question }
compared-head-release = release
compared-head-answer = answer
compared-head-variance = variance of the noise
compared-head-equal = variance at the risk of the first
compared-from = From { $a } to { $b }:
