### Cards and summaries. Numbers arrive formatted and rounded towards more risk.
### These variables are there in every message of this file:
###   $unit       what one record stands for, as the user wrote it: "person", "household"
###   $about      what the attacker wants to know: "membership" (is someone in the data), "answer" (which answer of
###               someone is true), "value" (is someone's value above $gamma), "related" (which of two values is true)
###   $gamma      the bound where $about is "value"
###   $apart      how neighbours differ: "add_remove", "replace", "local" (two answers), "value"
###   $setting    "central" (one holder of all data) or "local" (each person adds noise)
###   $several    "yes" if one unit may have several records, up to $size
###   $mildest    "yes" if nothing is claimed and numbers are those of the mildest publication that explains an attack
###   $refuted    "yes" if a measured attack refutes the description
###   $fpr        rate of false alarms, such as "1 %"
###   $known      what is known of the protection: "guarantee" (no mechanism), "answers" (random ones), "noise" (others)
### Messages whose names begin with unit- and who- are parts of others; a language may have others of these.

## People and records

unit-many = { PLURAL($unit) }
unit-a = { ARTICLE($unit) }
unit-record = { $several ->
    [yes] record
   *[no] { $unit }
 }
unit-records = { $several ->
    [yes] records
   *[no] { unit-many }
 }
unit-each = { $several ->
    [yes] { $unit } with up to { $size } records
   *[no] { $unit }
 }
# People are people, whatever the unit calls them; households are households.
who-units = { HUMAN($unit) ->
    [yes] people
   *[no] { unit-many }
 }
who-that = { HUMAN($unit) ->
    [yes] who
   *[no] that
 }
who-someone = { HUMAN($unit) ->
    [yes] someone
   *[no] { unit-a }
 }
who-one = { HUMAN($unit) ->
    [yes] person
   *[no] { $unit }
 }
who-in = { $about ->
    [answer] { who-units } with that true answer
    [value] { who-units } with a value above { $gamma }
    [related] cases with that value
   *[membership] { who-units } in the data
 }
who-out = { $about ->
    [answer] { who-units } with another true answer
    [value] { who-units } with a value of at most { $gamma }
    [related] cases with the other value
   *[membership] { who-units } { who-that } are not in the data
 }
# What is seen: the publication, or one response.
who-seen = { $about ->
    [answer] response
   *[membership] publication
 }
who-with-this = { $refuted ->
    [yes] By the refuted description
   *[no] { $about ->
        [answer] With the response
       *[membership] With this publication
     }
 }
who-most = { $mildest ->
    [yes] about
   *[no] at most
 }
who-up-to = { $mildest ->
    [yes] about
   *[no] up to
 }
# Counts of 100 are read as people; larger ones as rates, since there may not be so many.
who-of = { $out_of ->
    [100] Of 100
   *[other] Of every { $out_of }
 }
# A probability: one in a million. $one_in is 0 if the number is no such fraction; then $chance is shown.
who-chance = { $one_in ->
    [0] { $chance }
    [1000000] one in a million
   *[other] 1 in { $one_in }
 }
# The last two of a list: a, b and c.
list-last = { $first } and { $last }

## Headings

card-title = Risk card
heading-summary = Summary
heading-limits = Limits
heading-next = Next step
heading-learning = Risk to a person
heading-finding = Best attack
heading-absence = Ruling people out
heading-you = With and without your data
heading-asked = Further questions
heading-related = If people are related
heading-analyst = Accuracy
heading-audit = Measured attacks
heading-warnings = Please note
heading-published = What is published
heading-assumptions = Assumptions
heading-not_covered = What this does not cover
heading-declared = Decision
heading-epsilon = Epsilon and delta

## Verdict: the first lines

verdict-none = No limit was set, so we do not judge the risk here.
verdict-kept = { $count ->
    [one] We have proved that the limit is met.
    [2] We have proved that both limits are met.
   *[other] We have proved that all { $count } limits are met.
 }
verdict-kept-stated = { $count ->
    [one] If the stated guarantee holds, the limit is met.
    [2] If the stated guarantee holds, both limits are met.
   *[other] If the stated guarantee holds, all { $count } limits are met.
 }
verdict-kept-related = { $count ->
    [one] We have proved that the limit is met, also if people are related as the model says.
    [2] We have proved that both limits are met, also if people are related as the model says.
   *[other] We have proved that all { $count } limits are met, also if people are related as the model says.
 }
# $exceeded of $count limits are broken.
verdict-exceeded = { $count ->
    [one] The limit is broken.
   *[other] { $exceeded ->
        [one] 1 of { $count } limits is broken.
        [2] { $count ->
            [2] Both limits are broken.
           *[other] 2 of { $count } limits are broken.
         }
       *[other] { $exceeded } of { $count } limits are broken.
     }
 }
# $exceeded of $count limits are not proved.
verdict-open = { $count ->
    [one] We could not prove that the limit is met.
   *[other] We could not prove that { $exceeded } of { $count } limits are met.
 }
verdict-exposed = { $about ->
    [answer] A few true answers can be fully exposed: for each { $unit }, the chance is { who-up-to } { who-chance }.{ exposed-many }
    [value] A few values can be exposed: for each { $unit }, the chance is { who-up-to } { who-chance }.{ exposed-many }
   *[membership] A few { who-units } can be fully exposed: for each { who-one }, the chance is { who-up-to } { who-chance }.{ exposed-many }
 }
exposed-many = { $many ->
    [none] {""}
   *[other] {" "}Among { $n } { unit-many }, that can be { $many } on average.
 }
# Limits on the risk are about privacy; this one is about the accuracy that an analysis needs.
verdict-power = { $missed ->
    [one] The noise makes the planned analysis too weak: it keeps less power than it needs.
   *[other] The noise makes { $missed } planned analyses too weak: they keep less power than they need.
 }
verdict-power-kept = The planned analysis stays useful: it keeps the power that it needs.
verdict-refuted = A measured attack proves that the description is wrong. The true risk is higher than stated here.
verdict-mildest = The true risk may be higher than stated here. We only know the mildest { who-seen } that explains a measured attack.
verdict-unprotected = { $about ->
    [answer] There is almost no protection. The best attack nearly always finds the true answer (advantage { $advantage }).
    [value] There is almost no protection. The best attack nearly always tells whose value is above { $gamma } (advantage { $advantage }).
   *[membership] There is almost no protection. The best attack nearly always tells who is in the data (advantage { $advantage }).
 }
next-refuted = Do not publish. Find out why the description is wrong, then assess again.
next-mildest = Do not rely on these numbers alone. Ask how the publication was made, then assess again.
next-exceeded = Do not publish as planned. Add noise, then assess again. Only those who decide may set other limits.
next-open = Do not publish yet. Add noise until the limits are proved, or change the limits.
next-power = Plan a larger study or use less noise, then assess again.
next-exposed = Decide whether a few people may be exposed. If not, choose another mechanism or a much smaller delta.
next-none = Set limits on the risk, then assess again.
next-kept = Before publishing, look at the assumptions and at what this does not cover.
next-who = Who decides: { $whom ->
    [none] not stated.
   *[other] "{ $whom }"
 }
# Attackers who know how people are related do better than the publication alone would allow. $factor: of the odds.
verdict-related = The { unit-many } in the data are related. For someone who knows how they are related, a result can change the odds of two values by a factor of up to { $factor }.
verdict-related-unbounded = The { unit-many } in the data are related. Someone who knows how they are related can learn more about a record than the publication alone allows.

## The main pair

# $named: "yes" if the attacker has a name, $name. $prior: the chance they give each person beforehand.
# Of $out_of whom they name, $before are right by chance, $after with the publication.
pair = { $about ->
    [answer] Suppose { $named ->
            [yes] an attacker ("{ $name }")
           *[no] an attacker
         } gives each { $unit } a { $prior } chance of one particular true answer. { who-of } { unit-many } they name, { $before } would be correct by chance. { who-with-this }, { who-up-to } { $after }. (They wrongly name { $fpr } of the { who-out }: { $fpr } false alarms.)
    [value] Suppose { $named ->
            [yes] an attacker ("{ $name }")
           *[no] an attacker
         } gives each { $unit } a { $prior } chance of a value above { $gamma }. { who-of } { unit-many } they name, { $before } would be correct by chance. { who-with-this }, { who-up-to } { $after }. (They wrongly name { $fpr } of the { who-out }: { $fpr } false alarms.)
   *[membership] Suppose { $named ->
            [yes] an attacker ("{ $name }")
           *[no] an attacker
         } gives each { $unit } a { $prior } chance of being in the data. { who-of } { unit-many } they name, { $before } would be correct by chance. { who-with-this }, { who-up-to } { $after }. (They wrongly name { $fpr } of the { who-out }: { $fpr } false alarms.)
 }
# The same for another chance, after the sentence above.
pair-other = { $named ->
    [yes] At a chance of { $prior } ("{ $name }"): { $before } of { $out_of } by chance, { who-up-to } { $after } with this { who-seen }.
   *[no] At a chance of { $prior }: { $before } of { $out_of } by chance, { who-up-to } { $after } with this { who-seen }.
 }
# Kinds of odds: "sure", "even", "for" and "against"; a ratio of 9 is 9 to 1.
odds = As odds, for a chance of { $prior }: { $before_kind ->
    [sure] certainty
    [even] even
    [for] { $before } to 1
   *[against] 1 to { $before }
 } by chance, { $after_kind ->
    [sure] certainty
    [even] even
    [for] { $after } to 1
   *[against] 1 to { $after }
 } with this { who-seen }.
# The first line of that section where people are related.
learning-alone = The numbers in this section are for the publication alone. Where { unit-many } are related, the risk can be larger: see "{ heading-related }".
# What the pairs leave open: attackers may name fewer people and then be surer. $limits: one-of, for each chance.
caution-none = Even if they name very few, the share that is correct is { who-most }: { $limits }.
caution-none-sure = These counts hold on average when { $fpr } of the others are wrongly named. An attacker who names fewer can be almost certain.
caution-graceful = These counts hold on average when { $fpr } of the others are wrongly named. An attacker who names fewer can be right more often, and almost certain about very few.
caution-catastrophic = These counts hold on average when { $fpr } of the others are wrongly named. When a result is proof, the attacker is certain.
caution-undetermined = These counts hold on average when { $fpr } of the others are wrongly named. We do not know how sure an attacker can be who names fewer.
one-of = { $count } of { $out_of } (from { $prior })

## Worst case

worst-none = { $about ->
    [answer] No response changes the odds of an answer being the true one by a factor of more than { $factor }.
    [value] Whatever is published, no one's odds of a value above { $gamma } can change by more than a factor of { $factor }.
   *[membership] Whatever is published, { HUMAN($unit) ->
        [yes] no one's odds
       *[no] no { $unit }'s odds
     } of being in the data can change by more than a factor of { $factor }.
 }
worst-none-large = { $about ->
    [answer] A response can change the odds of someone's true answer by a factor of { who-up-to } { $factor }.
    [value] A result can change the odds of a value above { $gamma } by a factor of { who-up-to } { $factor }.
   *[membership] A result can change { HUMAN($unit) ->
        [yes] someone's odds
       *[no] the odds
     } of being in the data by a factor of { who-up-to } { $factor }.
 }
# The same where people are related, which is not counted here.
worst-none-alone = { $about ->
    [answer] The response alone changes no one's odds of a particular true answer by more than a factor of { $factor }.
    [value] This publication alone changes no one's odds of a value above { $gamma } by more than a factor of { $factor }.
   *[membership] This publication alone changes no one's odds of being in the data by more than a factor of { $factor }.
 }
# After one of the above. $certain: the most that a chance of 50 % can become.
worst-none-proof = No result is proof: if the chance was 50 % before, it is { who-most } { $certain } afterwards.
worst-none-near = A 50 % chance can become { $certain }. That is not proof, but it can come close.
worst-none-mildest = If the chance was 50 % before, it is { who-most } { $certain } afterwards.
worst-none-related = No result is proof: for someone who knows how { unit-many } are related, a 50 % chance of a value becomes at most { $certain }.
worst-graceful = { $about ->
    [answer] No response gives complete certainty about someone's true answer. In rare cases, a response can come close.
    [value] No published result gives complete certainty that someone's value is above { $gamma }. In rare cases, a result can come close.
   *[membership] No published result can prove that { who-someone } is in the data. In rare cases, a result can come close to proof.
 }
worst-catastrophic = { $about ->
    [answer] With a probability of { who-up-to } { who-chance }, a response proves what a particular { $unit }'s true answer is.
    [value] With a probability of { who-up-to } { who-chance }, a published result proves whether a particular { $unit }'s value is above { $gamma }.
   *[membership] With a probability of { who-up-to } { who-chance }, a published result proves that a particular { $unit } is in the data.
 }
worst-undetermined = { $about ->
    [answer] We do not know whether a response can prove what someone's true answer is.
    [value] We do not know whether a published result can prove that someone's value is above { $gamma }.
   *[membership] We do not know whether a published result can prove that { who-someone } is in the data.
 }
factor-huge = a very large number

## Best attack, ruling out, your data

# $rate: rate of false alarms; $power: share identified.
finding = With { $rate } false alarms, the best attack identifies { who-most } { $power } of the { who-in }.
relative = { $about ->
    [answer] At this rate of false alarms, the odds that a named answer is the true one are multiplied by { who-most } { $factor }.
    [value] At this rate of false alarms, the odds of a value above { $gamma } are multiplied by { who-most } { $factor }.
   *[membership] At this rate of false alarms, the odds that a named { $unit } is in the data are multiplied by { who-most } { $factor }.
 }
advantage = The share identified exceeds the share of false alarms by { who-most } { $advantage } percentage points (0 is no gain, 100 is certainty).
# An attacker rules out that people are in the data.
absence = { $about ->
    [answer] Suppose they rule out an answer instead, and give each { $unit } a { $prior } chance of it{ $named ->
            [yes] {" "}("{ $name }")
           *[no] {""}
         }. { who-of } ruled out, { $before } would be correct by chance. With the response, { who-up-to } { $after }. (They rightly rule out { $fpr } of the { who-out }.)
    [value] Suppose they rule out a value above { $gamma } instead, and give each { $unit } a { $prior } chance of it{ $named ->
            [yes] {" "}("{ $name }")
           *[no] {""}
         }. { who-of } ruled out, { $before } would be correct by chance. With this publication, { who-up-to } { $after }. (They rightly rule out { $fpr } of the { who-out }.)
   *[membership] Suppose they rule { unit-many } out instead, and give each a { $prior } chance of being in the data{ $named ->
            [yes] {" "}("{ $name }")
           *[no] {""}
         }. { who-of } ruled out, { $before } would be correct by chance. With this publication, { who-up-to } { $after }. (They rightly rule out { $fpr } of the { who-out }.)
 }
# The person's own risk, $before and $after in percent.
you = { $apart ->
    [replace] { HUMAN($unit) ->
        [yes] Suppose your risk of harm from this publication is { $before } with someone else's data in place of yours. With your own data it is { who-most } { $after }.
       *[no] Suppose the risk of harm from this publication is { $before } with another { $unit } in place of a particular one. With that one it is { who-most } { $after }.
     }
    [local] Suppose one true answer gives you a { $before } risk of harm. If another answer is the true one, the risk is { who-most } { $after }.
    [value] Suppose the risk of harm from this publication is { $before } for a value of at most { $gamma }. For a value above, it is { who-most } { $after }.
   *[add_remove] { HUMAN($unit) ->
        [yes] Suppose your risk of harm from this publication is { $before } without your data. With your data it is { who-most } { $after }.
       *[no] Suppose the risk of harm from this publication is { $before } without a particular { $unit }. With it, the risk is { who-most } { $after }.
     }
 }
you-still = { $setting ->
    [local] What all responses teach about people like you, they teach with or without yours. That is not counted here.
   *[central] What it teaches about everyone, it teaches about you too, with or without your data. That is not counted here.
 }

## Assumptions

delta-given = We quote epsilon at a delta of { $delta }, as given.
delta-from_n = We quote epsilon at a delta of { $delta }: the power of ten just below 1 ÷ (10 × number of { unit-records }).
delta-default = We quote epsilon at a delta of { $delta } by default. The number of { unit-records } is not stated, so we could not check that delta is small enough.
neighbours = { $apart ->
    [replace] We compare data sets in which one { unit-each } is replaced by another.
    [local] We compare two true answers of one { unit-each }.
    [value] We compare values of one { $unit }: those above { $gamma } with the others.
   *[add_remove] We compare data sets with and without one { unit-each }.
 }
answers-apart = The stated sensitivity is taken as the largest distance between two true answers of one { $unit }. Guarantees are taken the same way.
# $n: how many records there are; 0 if that is not stated.
unit-protected = { $n ->
    [0] What is protected: one { unit-each }.
    [one] What is protected: one { unit-each }. There is one{ $several ->
            [yes] {" "}record
           *[no] {""}
         }.
   *[other] What is protected: one { unit-each }. There are { $n } { unit-records }.
 }
sampling-none = No sampling: every { unit-record } takes part in every release.
sampling-poisson = Each { unit-record } joins each sample by chance, independently of the others (Poisson sampling).
sampling-without_replacement = Each sample has a fixed number of { unit-records }, drawn anew at random.
sampling-one_in_clear = The record of one { unit-record }, drawn at random, is shown openly, or none is.
sampling-unknown = We do not know whether samples were drawn. Only a guarantee is stated.
setting = { $setting ->
    [local] Each answer may be changed by chance before it is sent. No one else sees the true answer.
   *[central] The data holder sees the true records. { $known ->
        [guarantee] How the results are protected was not described.
       *[noise] Noise is added before anything is published.
     }
 }
attacker = { $about ->
    [answer] The attacker may know everything but the true answer and the random numbers. They want to find out which of two answers of { unit-a } is true.
    [value] The attacker may know how the mechanism works and how likely each value was. They want to find out whether { unit-a } has a value above { $gamma }.
   *[membership] The attacker may know every other record and how the mechanism works. They want to find out whether { unit-a } is in the data.
 }
# $priors: "1 %, 5 % (a stranger) and 10 %".
priors = The chances shown are { $priors }. They are examples, not findings about anyone.
prior-named = { $prior } ("{ $name }")

## Epsilon

epsilon = At delta { $delta }, epsilon is { who-most } { $epsilon }.
# Where epsilon at delta is hardly smaller than at 0.
epsilon-both = At delta { $delta } and at delta 0, epsilon is { who-most } { $epsilon }.
epsilon-infinite = At delta { $delta }, there is no finite epsilon: the odds can change without limit.
# What that means. $factor: e to the power of epsilon.
epsilon-means = { $alone ->
    [yes] If there were no relations, the share that an attack identifies would be at most { $factor } times its share of false alarms, plus delta.
   *[no] So the share that an attack identifies is at most { $factor } times its share of false alarms, plus delta.
 }
epsilon-related = These numbers are for the publication alone; see "{ heading-related }".
epsilon-means-pure = { $alone ->
    [yes] If there were no relations, no result would change the odds by more than a factor of { $factor }.
   *[no] So no result changes the odds by more than a factor of { $factor }.
 }
epsilon-unknown = At delta { $delta }, epsilon is at least { $low }. It may be infinite.
epsilon-explained = Epsilon says how far results can change the odds, and delta allows for rare exceptions. Smaller is safer for both.
epsilon-delta = Below delta { $proof } no epsilon can be given: with that probability a result proves something.{ $epsilon ->
    [none] {""}
   *[other] {" "}At delta { $proof }, epsilon is at most { $epsilon }.
 }

## Please note

warning-mildest = Nothing is claimed about this publication. Other attacks may show a higher risk.
warning-claim_refuted = The other numbers describe what was claimed, not what happens.
warning-limit_exceeded = { $broken ->
    [one] A limit is broken; see Limits.
   *[other] { $broken } limits are broken; see Limits.
 }
warning-limit_open = A limit is neither proved nor broken; see Limits.
warning-power_missed = The noise leaves less power than is needed; see Accuracy.
# $planned: names of planning values, such as "sd and n".
warning-plan_not_counted = The plan uses { $planned } from a noisy release that is not counted here. Its risk comes on top. Look at both of them as one.
warning-catastrophic = A few people can be fully exposed, however small the percentages above look. If those who see the results are not bound to secrecy, choose another mechanism.
warning-undetermined = Until this is known, assume that a result can prove something.
warning-answers_apart = The setting is local, so sensitivities are taken as the distance between two true answers (2 for values from −1 to 1). If answers can be further apart than stated, the risk is higher.
warning-responses_seen = A response hides which answer is true, not that someone answered. Whoever sees whose response it is knows that this { $unit } took part.
warning-delta_not_below_one_in_n = Delta { $delta } is not below 1 in { $n }, the number of { unit-records }. A delta this large would let someone publish one record openly. Choose a smaller one.
warning-proof_not_below_one_in_n = { $about ->
    [answer] For each { $unit }, with a probability of { who-up-to } { $chance }, a response can prove the true answer.
    [value] For each { $unit }, with a probability of { who-up-to } { $chance }, a result can prove whether the value is above { $gamma }.
   *[membership] For each { $unit }, with a probability of { who-up-to } { $chance }, a result can prove that this { $unit } is in the data.
 } { $openly ->
    [yes] { $stated ->
        [yes] This guarantee is also met if { unit-opened }, drawn at random, is shown openly.
       *[no] If { unit-opened }, drawn at random, were shown openly, that would prove something no more often.
     } { open-remedy }
   *[no] { open-remedy }
 }
unit-opened = { $several ->
    [yes] one record
   *[no] the record of one { $unit }
 }
open-remedy = { $stated ->
    [yes] Ask for a much smaller delta.
   *[no] Choose another mechanism or a much smaller delta.
 }
warning-poisson_batches = In each step, chance must decide for each { unit-record } whether it takes part (Poisson sampling). The numbers do not hold if the data are shuffled and cut into batches of fixed size.
warning-uniform_batches = These numbers need a new random sample each time. They do not hold if the data are shuffled once and read in order.
warning-unknown_batches = If the guarantee assumes random sampling, the batches must be drawn by random sampling. If they were only shuffled and cut, it does not hold.
warning-related_worse = An attacker who knows how people are related can learn more; see "{ heading-related }".
warning-search_not_exhaustive = We did not compare every attacker on related records. Others may learn more, up to the bound.
warning-relations_not_modelled = People may be related, by family, place or time. Then one record tells about others, and an attacker may learn more. No model of this was given.
warning-guarantee_only = We know a guarantee, not the mechanism. The numbers are the worst that it allows.
warning-guarantee_in_part = For part of the release we know a guarantee, not the mechanism. There the numbers are the worst that it allows.
# $rough: questions, such as "delta at epsilon 1".
warning-roughly_known = Only roughly known: { $rough }.
# Where an F-score is shown. $blind: an epsilon; $weight: of the F-score.
warning-f_score_blind = An F-score (weight { $weight }) cannot show differences between releases with an epsilon below { $blind }. Do not read it alone.

## Limits

# $question: "epsilon at delta 1e-6". $bound and $answer: numbers. $more: "yes" if larger answers are riskier.
# $whom: "release", "related" (all attackers on related records) or "other", the attacker $name.
limit-kept = { $whom ->
    [related] Met, also if people are related: { limit-asked }; result: { $answer }.
    [other] Met, against "{ $name }": { limit-asked }; result: { $answer }.
   *[release] Met: { limit-asked }; result: { $answer }.
 }
limit-exceeded = { $whom ->
    [related] Broken if people are related: { limit-asked }; result: { $answer }.
    [other] Broken, against "{ $name }": { limit-asked }; result: { $answer }.
   *[release] Broken: { limit-asked }; result: { $answer }.
 }
limit-open = { $whom ->
    [related] Not proved if people are related: { limit-asked }; we could only prove { $answer }.
    [other] Not proved, against "{ $name }": { limit-asked }; we could only prove { $answer }.
   *[release] Not proved: { limit-asked }; we could only prove { $answer }.
 }
limit-refuted = { $whom ->
    [related] Met only by the refuted claim, if people are related: { limit-asked }; it would be { $answer }.
    [other] Met only by the refuted claim, against "{ $name }": { limit-asked }; it would be { $answer }.
   *[release] Met only by the refuted claim: { limit-asked }; it would be { $answer }.
 }
limit-asked = { $question }. Limit: { limit-bound }
# In tables, without the question.
limit-bound = { $more ->
    [yes] at most { $bound }
   *[no] at least { $bound }
 }

## Further questions

asked = { $more ->
    [yes] { $question }: { who-most } { $answer }.
   *[no] { $question }: { $mildest ->
        [yes] about
       *[no] at least
     } { $answer }.
 }
asked-related = { $more ->
    [yes] { $question }, for the worst attacker on related records: at most { $answer }.
   *[no] { $question }, for the worst attacker on related records: at least { $answer }.
 }
asked-infinite = { $question }: infinite.
asked-unknown = { $question }: at least { $low }, and perhaps infinite.

# $blind: how often a guess is right that looks at nothing.
question-accuracy = how often the best attack is right ({ $blind } by blind guessing, at a chance of { $prior })
question-advantage = the attacker's advantage over guessing
# $baseline: how often a guess about someone is right without their record.
question-attribute_inference = the chance of guessing a detail about someone ({ $baseline } without their record)
question-attack_power = the share of { who-in } that an attack identifies (with { $fpr } false alarms)
question-auc = the area under the attacker's ROC curve
question-cost = the attacker's least expected cost (at a chance of { $prior })
question-delta = delta at epsilon { $epsilon }
question-epsilon = epsilon at delta { $delta }
question-f_score = the attacker's best F-score (weight { $weight }, at a chance of { $prior })
question-inference_advantage = the gain in right guesses about someone ({ $baseline } are right without their record)
question-max_posterior = the greatest certainty that a result can give (from a chance of { $prior })
question-min_fpr = the least rate of false alarms of an attack that misses at most { $fnr }
question-mu = the smallest mu of Gaussian differential privacy
question-posterior = { $about ->
    [membership] the chance that a named { who-one } is in the data (with { $fpr } false alarms, from { $prior })
   *[answer] the chance that a named case is true (with { $fpr } false alarms, from { $prior })
 }
question-posterior_after_negative = { $about ->
    [membership] the chance left that { who-someone } ruled out is in the data (with { $fpr } false alarms, from { $prior })
   *[answer] the chance left that a case ruled out is true (with { $fpr } false alarms, from { $prior })
 }
question-precision = the share of named cases that are right (if { $recall } are identified, at a chance of { $prior })
question-reconstruction = the chance of rebuilding someone's whole record ({ $baseline } without it)
# $never: "yes" if there need not be any false alarms.
question-relative_risk = { $never ->
    [yes] { $about ->
        [membership] the factor by which any result can raise the odds of being in the data
       *[answer] the factor by which any result can raise the odds
     }
   *[no] { $about ->
        [membership] the factor by which the odds of being in the data can rise (with at least { $fpr } false alarms)
       *[answer] the factor by which the odds can rise (with at least { $fpr } false alarms)
     }
 }
question-renyi = the Rényi divergence of order { $order }
answer-undefined = not defined

## Accuracy

# $who: name of the test. $after: counts with the noise; $before: without; $needed: share.
analyst = { $named ->
    [yes] "{ $name }":
   *[no] The test:
 } of { $out_of } studies with a true effect of { $effect }, at least { $after } find it. Without noise, { $before } would. If there is no effect, at most { $level } of studies claim one.
analyst-kept = That is enough: the required power is { $needed }.
analyst-missed = That is not enough: the required power is { $needed }.
# $values: "n = 500 and sd = 6". $noted: "yes" if the user gave a note on their source, $note.
analyst-plan = { $first ->
    [yes] The plan assumes { $values } ({ analyst-sourced }).
   *[no] It also assumes { $values } ({ analyst-sourced }).
 }
analyst-value = { planned-name } = { $value }
analyst-sourced = { $noted ->
    [yes] { analyst-source }: "{ $note }"
   *[no] { analyst-source }
 }
analyst-source = { $source ->
    [public] public knowledge
    [worst_case] the worst case, whatever the data
    [private_estimate] a noisy release of its own
   *[not_stated] source not stated
 }

## If people are related. Attackers here decide between two values of one record.

model-discrete = People are taken to be related as a table says, for { $n ->
    [one] one { $unit }
   *[other] { $n } { unit-many }
 }.
model-markov = { $n ->
    [one] The model has one { $unit }.
   *[other] The model is a chain of { $n } { unit-many }. Each depends on the one before.
 }
model-gaussian = The model is a set of related normal numbers, for { $n ->
    [one] one { $unit }
   *[other] { $n } { unit-many }
 }.
model-gaussian_chain = { $n ->
    [one] The model has one { $unit }.
   *[other] The model is a chain of { $n } { unit-many } with normal values. Each depends on the one before.
 }
# $exhaustive: "yes" if all attackers were compared. $target: which record, counted from 1. $kind: "named" (the attacker $name), "worst" or "unnamed".
# $knows: "none", "all", "many" ($count records), "one" or "some" (the records $known, a list of numbers).
related-who = { $kind ->
    [named] "{ $name }" attacks the record of the { ORDINAL($target) } { $unit } and { related-knows }.
    [worst] { $exhaustive ->
        [yes] The worst attacker
       *[no] The worst attacker we found
     } attacks the record of the { ORDINAL($target) } { $unit } and { related-knows }.
   *[unnamed] One attacker attacks the record of the { ORDINAL($target) } { $unit } and { related-knows }.
 }
related-knows = { $knows ->
    [none] knows no other record
    [one] knows the record of { $known }
    [some] knows the records of { $known }
    [many] knows { $count } other records
   *[all] knows every other record
 }
related-place = { $value ->
    [none] the { ORDINAL($place) }
   *[other] the { ORDINAL($place) } (its value: { $value })
 }
related-determined = They know its value already, so the publication adds nothing.
# $before: what they believe before the publication; $after: at most, after a positive test; $alone: without relations.
related-belief = By the model, the chance that this record has the value called "{ $value }" is { $before }. After this publication, up to { $after } (with { $fpr } false alarms). If people were not related, it would be { $alone }.
# The model leaves the belief open, so it is an example.
related-example = Suppose they give one of two values a { $before } chance. After this publication, up to { $after } (with { $fpr } false alarms). If people were not related, it would be { $alone }.
# $bounded: "yes" if the publication alone has a limit, $alone.
related-odds = { $bounded ->
    [yes] Their odds of one value against another change by at most a factor of { $factor }. The publication alone allows { $alone }.
   *[no] Their odds of one value against another change by at most a factor of { $factor }. The publication alone sets no limit.
 }
related-unbounded = Their evidence can be of any strength, but strong evidence is rare.
related-by-leakage = So many releases are not computed together. These numbers are the most that the limit on the odds allows.
# $compared: how many attackers were compared, at the epsilon at $delta ("0": the leakage). $bound: for all others.
related-sure = { $exhaustive ->
    [yes] { $compared ->
            [one] There is only one attacker to compare.
           *[other] We compared all { $compared } attackers. No other has a higher epsilon at delta { $delta }.
         } Limits are judged by the worst of all.
   *[no] { $compared ->
            [one] We looked at one attacker.
           *[other] We compared { $compared } attackers.
         } The epsilon of any other at delta { $delta } is { $bounded ->
            [yes] at most { $bound }
           *[no] not bounded
         }. Limits are judged by that.
 }
related-others = At this rate of false alarms another attacker may be surer, but none reaches more than { $most }.
related-fewer = With related records, the worst attacker may be one who knows fewer others.

## Measured attacks

audit-unclaimed = Nothing is claimed, so nothing can be refuted. The attack proves a lower bound on the risk. Another attack may find more.
# $rate: false alarms. $measured: the attack identifies at least this; $claimed: the description allows at most this.
audit-refuted = The claim is refuted (confidence { $confidence }). With at most { $rate } false alarms, { $named ->
    [yes] the attack "{ $name }"
   *[no] the attack
 } identifies at least { $measured } of the { who-in }. The description allows at most { $claimed }.
audit-not_refuted = The claim is not refuted (confidence { $confidence }). { $named ->
    [yes] The attack "{ $name }"
   *[no] The attack
 } proves no more than the description allows. That does not confirm it: another attack may find more.
audit-size = Measured on { $n_in } scores with the target and { $n_out } without. Epsilon is at least { $epsilon } at delta { $delta }, and { $pure } at delta 0. Mu is at least { $mu }.
# Audits in one run: $right of $guesses guesses about test records (canaries) were right; $takes would refute.
audit-run-refuted = The claim is refuted (confidence { $confidence }). { audit-run-right } If the description were true, { $takes } or more would be too many.
audit-run-not_refuted = The claim is not refuted (confidence { $confidence }). { audit-run-right } It would take { $takes }. That does not confirm it: another attack may find more.
audit-run-too_few = The claim is not refuted (confidence { $confidence }). { audit-run-right } There are too few guesses to refute anything, so that confirms nothing.
audit-run-right = { $named ->
    [yes] In "{ $name }", { $right } of { $guesses } guesses about test records (canaries) were right.
   *[no] { $right } of { $guesses } guesses about test records (canaries) were right.
 }
audit-run-size = Measured in one run with { $canaries } test records (canaries). Epsilon is at least { $epsilon } at delta { $delta }, and { $pure } at delta 0. Mu is at least { $mu }.
audit-assumes-scores = This holds only if the scores are independent and the attack was fixed beforehand. The scores of each side must follow one law.
audit-assumes-counts = This holds only if the cases are independent, and attack and threshold were fixed beforehand. The cases of each side must follow one law.
audit-assumes-points = This holds only if the cases behind the published rates are independent and the attack was fixed beforehand. The cases of each side must follow one law.
audit-assumes-run = This holds only if a fair coin of its own put each test record in or left it out. The attacker saw no coin. Attack and number of guesses were fixed beforehand.
audit-several = There are { $count } audits. If the description is true, the chance that any of them refutes it is at most { $error }.

## What this does not cover

not-covered-singling = Singling out anyone: the numbers are about one chosen { $unit }. Finding anyone at all is easier.
not-covered-reconstruction = Reconstruction: how likely it is that someone can rebuild a whole record is another question.
not-covered-attributes = Details: how likely it is that someone can guess a detail about { unit-a } in the data is another question.
not-covered-details = Other details: only the value in the model was examined.
not-covered-baseline = Guesses without the record: how often they are right is as stated. We cannot check it.
not-covered-others = Other publications about the same { unit-many }: risks add up. Include them all.
not-covered-implementation = Faults in the software: a mechanism that differs from its description, { $known ->
    [noise] a sensitivity stated too small, weak random numbers.
   *[answers] weak random numbers.
 }
not-covered-floating = Rounding: the last digits of noise drawn as ordinary floating-point numbers can leak something.
# $owned: "yes" if a person may have several of the units, such as visits.
not-covered-several = { HUMAN($unit) ->
    [yes] { $several ->
        [yes] Larger groups: a family, or more records of one { $unit } than stated, has a larger risk.
       *[no] Larger groups: a family, or several records of one { $unit }, has a larger risk.
     }
   *[no] { $several ->
        [yes] Larger groups: several { unit-many } together, or more records of one than stated, have a larger risk.
       *[no] Larger groups: { $owned ->
            [yes] a person with several { unit-many } has a larger risk.
           *[no] several { unit-many } together, or several records of one, have a larger risk.
         }
     }
 }
not-covered-unrelated = Related people: no model of how records depend on each other was given.
not-covered-related = Other relations: what is said of related people holds only if they are related as the model says.

## Decision

# Statements by the user stand behind these, after a colon.
declared-purpose = Purpose
declared-benefits = Expected benefits
declared-nature = Nature of the data
declared-recipients = Recipients
declared-no-recipients = Recipients: it is not stated who will see the results.
declared-decided_by = Who decides
declared-reasons = Why
declared = { $name }: { $value }
declared-said = { $name }: "{ $value }"
# $missing: "Purpose; Why".
declared-missing = Not stated: { $missing }.
declared-nothing = The purpose, the data, who will see the results and who decides are not stated.

## What is published

published = { $named ->
    [yes] "{ $name }": { $what }.
   *[no] { CAPITAL($what) }.
 }
published-mildest = Nothing is claimed about it. The numbers are those of the mildest one that explains the attack:
published-other = A release that no file can hold: { $what }.
release-additive_noise = a number with noise of the law { $noise }
release-approximate_dp = only a guarantee is stated: epsilon { $epsilon }, delta { $delta }
release-continuous_pair = a number that follows one of two laws, { $p } or { $q }
release-discrete_gaussian = whole numbers with discrete Gaussian noise, sigma { $sigma }
release-dpsgd = a model trained in { $steps } noisy steps (DP-SGD), with noise multiplier { $noise_multiplier }. Each { unit-record } joins each step with a chance of { $sample_rate }. The trained model is what is published
release-exponential = a choice by the exponential mechanism or a similar one, epsilon { $epsilon }
release-finite_pair = one of { $p } outcomes
release-gaussian = numbers with Gaussian noise, standard deviation { $sigma }
release-gaussian_dp = only a guarantee is stated: Gaussian DP with mu { $mu }
release-geometric = whole numbers with two-sided geometric noise, scale { $scale }
release-laplace = numbers with Laplace noise, scale { $scale }
release-privacy_profile = only a guarantee is stated: delta at { $epsilons } values of epsilon
release-randomized_response = one of { $categories } answers from each { $unit }: the true one, or by chance another (epsilon { $epsilon }). The true one is sent with a chance of { who-up-to } { $truth }
release-renyi_dp = only a guarantee is stated: Rényi DP at { $orders } orders
release-staircase = numbers with staircase noise, epsilon { $epsilon }
release-trade_off_points = only a guarantee is stated: the attacker's two errors at { $alphas } corners of their curve
release-uniform_sampling = the record of one of { $n } { unit-records }, drawn at random, or none (mu { $mu })
release-zero_concentrated_dp = only a guarantee is stated: zero-concentrated DP with rho { $rho }
release-composed = several releases together, described next
release-subsampled = a release from a random part of the { unit-records } ({ $rate } of them), described next
release-grouped = a release, described next, in which one { $unit } has up to { $size_here } records
release-failing = a release, described next, that shows everything with a chance of { $probability }
release-value_above = a release, described next, asked whether a value is above { $gamma }
release-replaced = a release, described next, in which the record of one { $unit } leaves and another comes
# What follows is put behind one of the above. $what: what was said so far.
release-sensitive = { $about ->
    [answer] { $what }. Two true answers of one { unit-record } differ by at most { $sensitivity }
   *[membership] { $what }. One { unit-record } changes the result by at most { $sensitivity }
 }
release-sensitive-apart = { $what }. Two true answers differ by at most { $sensitivity }
release-sampled = { $what }; made from a random part of the { unit-records }, each with chance { $sample_rate }
release-repeated = { $what }. This is done { $repeat } times, with fresh noise each time
release-fails = { $what }; with a chance of { $fails_with } everything is shown
release-group = { $what }; one { $unit } has up to { $group } records
