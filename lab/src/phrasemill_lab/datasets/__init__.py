"""Datasets: the catalog of public ones, their loaders, preparation for training, statistics; `building` makes new ones.

    for document in load_dataset("inspec", "data", split="test"): …

Nothing is downloaded: the catalog shows where each dataset is published, and loaders read the files that one has.
"""

from phrasemill_lab.datasets.catalog import Dataset, Split, dataset, datasets
from phrasemill_lab.datasets.layouts import LAYOUTS
from phrasemill_lab.datasets.loading import load_dataset, load_topics, read_layout
from phrasemill_lab.datasets.problems import DatasetProblem, DatasetWarning

__all__ = [
    "LAYOUTS",
    "Dataset",
    "DatasetProblem",
    "DatasetWarning",
    "Split",
    "dataset",
    "datasets",
    "load_dataset",
    "load_topics",
    "read_layout",
]
