"""The figures of Yuan et al. (2020) and, for abstractive keywords, of Sheng et al. (2022), as printed there.

Test sets of which we have no sample (Krapivin, NUS) are left out.
"""

PRESENT = ("F1@5", "F1@10", "F1@O")
ABSENT = ("R@10", "R@50")
SELF = ("F1@O", "F1@M")
CUTS = tuple(f"{metric}@{k}" for k in (5, 10, 15) for metric in ("P", "R", "F1"))

Figures = dict[str, dict[str, tuple[float | None, ...]]]

# Table 2: F1@5, F1@10, F1@O of present keyphrases.
TABLE_2: Figures = {
    "CopyRNN (Meng et al.)": {"KP20k": (32.8, 25.5, None), "Inspec": (29.2, 33.6, None), "SemEval": (29.1, 29.6, None)},
    "CopyRNN*": {"KP20k": (31.7, 27.3, 33.5), "Inspec": (24.4, 28.9, 29.0), "SemEval": (31.8, 31.8, 31.7)},
    "CatSeq": {"KP20k": (31.4, 27.3, 31.9), "Inspec": (29.0, 30.0, 30.7), "SemEval": (30.2, 30.6, 31.0)},
    "CatSeqD": {"KP20k": (34.8, 29.8, 35.7), "Inspec": (27.6, 33.3, 33.1), "SemEval": (32.7, 35.2, 35.7)},
    "TfIdf": {"KP20k": (7.2, 9.4, 6.3), "Inspec": (16.0, 24.4, 20.8), "SemEval": (8.8, 14.7, 11.3)},
    "TextRank": {"KP20k": (18.1, 15.1, 18.4), "Inspec": (28.6, 33.9, 33.5), "SemEval": (21.7, 22.6, 22.9)},
    "KEA": {"KP20k": (4.6, 4.4, 5.1), "Inspec": (2.2, 2.2, 2.2), "SemEval": (6.8, 6.5, 6.6)},
    "Maui": {"KP20k": (0.5, 0.5, 0.4), "Inspec": (3.5, 4.6, 3.9), "SemEval": (1.1, 1.4, 1.1)},
}
# Table 3: the same on StackExchange, then R@10 and R@50 of absent keyphrases.
TABLE_3: dict[str, tuple[float | None, ...]] = {
    "TfIdf": (8.0, 8.9, 5.2, None, None),
    "TextRank": (12.1, 10.1, 11.6, None, None),
    "KEA": (4.9, 4.8, 5.3, None, None),
    "Maui": (35.8, 23.3, 51.8, None, None),
    "CopyRNN*": (44.2, 30.3, 66.2, 48.8, 66.0),
    "CatSeq": (48.3, 45.5, 63.5, 40.7, 42.2),
    "CatSeqD": (48.7, 43.9, 65.6, 54.8, 65.7),
}
# Table 4: F1@O and F1@M of present keyphrases, by greedy search and by the best sequence of a beam.
TABLE_4: dict[str, Figures] = {
    "greedy": {
        "CatSeq": {"KP20k": (33.1, 32.4), "StackEx": (59.2, 56.3)},
        "CatSeqD": {"KP20k": (33.4, 33.9), "StackEx": (59.6, 59.3)},
    },
    "top": {
        "CatSeq": {"KP20k": (24.3, 25.1), "StackEx": (52.4, 52.7)},
        "CatSeqD": {"KP20k": (31.9, 33.4), "StackEx": (56.5, 57.0)},
    },
}
# Table 5: F1@O of present keyphrases without and with the two mechanisms.
TABLE_5: Figures = {
    "CatSeq": {"KP20k": (31.9,), "Inspec": (30.7,), "SemEval": (31.0,)},
    "CatSeq + Orth. Reg.": {"KP20k": (31.1,), "Inspec": (29.3,), "SemEval": (29.5,)},
    "CatSeq + Sem. Cov.": {"KP20k": (32.9,), "Inspec": (32.1,), "SemEval": (32.9,)},
    "CatSeqD": {"KP20k": (35.7,), "Inspec": (33.1,), "SemEval": (35.7,)},
}
# Table 6: R@10 and R@50 of absent keyphrases.
TABLE_6: Figures = {
    "CopyRNN (Meng et al.)": {"KP20k": (11.5, 18.9), "Inspec": (5.1, 10.1), "SemEval": (4.9, 7.5)},
    "CopyRNN*": {"KP20k": (3.3, 8.7), "Inspec": (4.0, 8.3), "SemEval": (0.5, 2.6)},
    "CatSeq": {"KP20k": (6.0, 6.2), "Inspec": (2.8, 2.9), "SemEval": (2.5, 2.5)},
    "CatSeqD": {"KP20k": (11.7, 15.1), "Inspec": (5.2, 7.1), "SemEval": (4.6, 6.3)},
}
# Section 6.2: different phrases a document, exhaustive decoding.
UNIQUE: Figures = {"CatSeq": {"KP20k": (20.38,)}, "CatSeqD": {"KP20k": (89.70,)}}

# Table 3 of Sheng et al.: P, R, F1 at 5, 10, 15 of abstractive keywords, by stems and by shared stems.
PUBMEDAKE: dict[str, dict[str, tuple[float | None, ...]]] = {
    "summarise(multipartiterank)": {
        "stem": (1.43, 1.20, 1.31, 1.02, 2.93, 1.51, 0.34, 5.71, 0.64),
        "partial": (2.09, 2.38, 2.23, 1.96, 4.73, 2.77, 1.56, 5.02, 2.38),
    }
}
