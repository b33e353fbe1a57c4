"""KP20k (Meng et al., 2017): titles, abstracts and author keywords of computer science papers."""

from phrasemill.lab.datasets.catalog import (
    Dataset,
    KnownFile,
    Split,
    keyword_lines,
    own_lines,
    source_and_target,
)

DATASET = Dataset(
    name="kp20k",
    title="KP20k: abstracts of computer science papers with their authors' keywords",
    published=(
        "https://github.com/memray/seq2seq-keyphrase",
        "https://github.com/memray/OpenNMT-kpg-release",
        "https://github.com/kenchan0226/keyphrase-generation-rl",
    ),
    licence="not stated by its authors; for research",
    papers=("Meng et al., 2017: Deep Keyphrase Generation (ACL)",),
    splits=(
        Split("train", 527_090, also=("training",)),
        Split("valid", 20_000, also=("validation", "dev")),
        Split("test", 20_000, also=("testing",)),
    ),
    forms=(
        own_lines("kp20k_{split}", "kp20k_small_{split}"),
        keyword_lines("kp20k_{split}", "{split}"),
        source_and_target("kp20k_{split}", "{split}"),
    ),
    files=(
        KnownFile("kp20k_small_train.jsonl.gz", "d6fceeb3ce61dac2df3294e22b944feedcedda6ee2f45a0a5bd33b9dd131b72c"),
        KnownFile("kp20k_small_valid.jsonl.gz", "965b57ba4249129118cd94715a31abbc0f7dfa1bdc0c0740eca7b304f3e4bfab"),
        KnownFile("kp20k_small_test.jsonl.gz", "cee4bbb971f60f25796c1b623e251b5fd1cfa8a216f908df3c85b23d66b44361"),
    ),
    note="Yuan et al. (2020) test on 19,987 documents with 105,181 keyphrases: those without gold are removed.",
)
