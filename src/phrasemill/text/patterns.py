"""Regular expressions that are compiled when they are first needed: most texts need few of them, and compiling all that
recognise paratext takes 20 ms."""

import re
from functools import cache

compiled = cache(re.compile)
