"""A fuzzer of everything public: names by introspection, scenario files, saved results, command lines.

A call must end in an answer that makes sense or in a dplens error; ``targets.py`` says what is called, ``hostile.py``
with what, ``verdict.py`` what makes sense. ``make fuzz SECONDS=600`` draws anew; ``test_fuzz.py`` draws some
hundred calls from a fixed seed.
"""
