"""StackEx (Yuan et al., 2020): questions of StackExchange, with their tags as keyphrases."""

from phrasemill.lab.datasets.catalog import Dataset, KnownFile, Split, keyword_lines, own_lines, source_and_target

DATASET = Dataset(
    name="stackex",
    title="StackEx: questions of 19 computer science sites of StackExchange, with their tags",
    published=(
        "https://github.com/memray/OpenNMT-kpg-release",
        "https://archive.org/details/stackexchange",
    ),
    licence="CC BY-SA 3.0 (the questions of the dump of October 2017)",
    papers=("Yuan et al., 2020: One Size Does Not Fit All (ACL)",),
    splits=(
        Split("train", also=("training",)),
        Split("valid", also=("validation", "dev")),
        Split("test", 16_000, 43_131, also=("testing",)),
    ),
    forms=(
        own_lines("stackex_{split}", "stackexchange_takg_{split}"),
        keyword_lines("stackexchange_{split}", "stackex_{split}", "{split}"),
        source_and_target("stackexchange_{split}", "stackex_{split}", "{split}"),
    ),
    files=(
        KnownFile(
            "stackexchange_takg_valid.jsonl.gz", "4c182bd7fa262f8e2958752411e73ba6bdce2d29a28864f626ee11442c7ea4b0"
        ),
        KnownFile(
            "stackexchange_takg_test.jsonl.gz", "40981143e3070ae5ef50d5172568464237f3ed9e9ed9a7c880a8c0a5642f1311"
        ),
    ),
    note="About 298,000 documents in train, 16,000 in valid. The takg files are another sample (Wang et al., 2019).",
)
