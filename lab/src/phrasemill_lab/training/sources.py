"""The sources moved to `phrasemill_lab.models.sources`; this name goes when the last module of `training` has moved."""

from phrasemill_lab.models.sources import Record as Record
from phrasemill_lab.models.sources import Source as Source
from phrasemill_lab.models.sources import number_of as number_of
from phrasemill_lab.models.sources import read_records as read_records
from phrasemill_lab.models.sources import titles as titles
