### Measured attacks: verdicts printed for a programmer, and notes on how an audit was made. Numbers arrive formatted.

refutation = { $refuted ->
    [yes] The claim is refuted (confidence { $confidence }). With { $rate } false alarms the attack identifies at least { $measured } of the people in the data. The claim allows at most { $claimed }. { refutation-assumes }
   *[no] The claim is not refuted (confidence { $confidence }). That does not confirm it: another attack, or more samples, may refute it. { refutation-assumes }
 }
refutation-assumes = This holds only if the scores are independent and the attack was fixed beforehand.
# Guesses about canaries: $share were right, the claim allows fewer than $claimed.
refutation-run = { $verdict ->
    [refuted] The claim is refuted (confidence { $confidence }). { $share } of { $guesses } guesses were right. The claim allows fewer than { $claimed }. { refutation-run-assumes }
    [few] The claim is not refuted (confidence { $confidence }). { $share } of { $guesses } guesses were right. So few guesses cannot refute anything. { refutation-run-assumes }
   *[open] The claim is not refuted (confidence { $confidence }). { $share } of { $guesses } guesses were right. It takes { $claimed }. That does not confirm the claim. { refutation-run-assumes }
 }
refutation-run-assumes = This holds only if every coin was fair and unseen, and the attack was fixed beforehand.
note-fixed = The thresholds were fixed before anyone saw the scores, as declared.
note-both = Higher and lower scores were both tried, each with half of the allowed error.
note-reversed-rates = The labels look reversed: the attack names people outside the data more often than those in it. We changed nothing, so little is proved. If you mixed up the two sides, exchange them.
# $auc: area under the ROC curve.
note-reversed-scores = The scores look reversed: high ones speak against the target (area under the ROC curve { $auc }). We used them as given, so little is proved. If you mixed up the labels, exchange the two sides. If low scores speak for it, set members to lower, but not because of these scores. Or try both (either).
note-reversed-guesses = The guesses look reversed: { $right } of { $made } were right, fewer than by chance. We changed nothing, so nothing is proved. If you mixed up the coins, exchange them. If low scores mean that a canary was in, set members to lower, but not because of these results.
note-unpickled = The data cannot be pickled. We do not know whether the finished runs used the same data, and assume that they did.
note-other-code = The function has changed since the finished runs, in its code or in a value that it holds. We kept the runs. If the change affects the outputs, start again.
note-changed-data = The data changed during the runs, so each run depends on those before and nothing is proved. Let the function work on a copy.
note-same-output = Every run gave the same output. The function ignores its generator, or seeds its own in each run. Noise from one seed is no noise.
note-alone = The function takes no generator, so it runs in this process alone: several processes would draw the same noise. Let it take one, as in run(data, rng), to use several workers.
note-held = The function uses other randomness than its generator, so it runs in this process alone: several processes would draw the same noise. Let it draw from rng alone to use several workers.
note-again = The function starts with the same noise as the finished runs, as if it seeds its own generator. We made those runs again, since the same noise must not count twice. Let it draw from rng alone to go on where it stopped.
note-only-in = No guess said that a canary was out: we read a guess of 0 as no guess. If 0 was to say "out", pass truth values, or -1 in its place.
