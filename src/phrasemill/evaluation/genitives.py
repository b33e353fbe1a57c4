"""Genitives in both orders: `A of B` is also `B A`, and `A's B` is also `A B` (Kim et al., 2010, section 2.1).

An article before `B` may go: `cost of the edge` is also `the edge cost` and `edge cost`. The organisers of SemEval-2010
left out alternations that mean something else (`matter of fact`) by committee, which no rule does; their keys list the
rest, so this is for other gold.
"""

import re

OF = re.compile(r"(?P<a>\S+(?: \S+)*?) of (?P<b>\S.*)")
GENITIVE = re.compile(r"(?P<a>\S+?)(?:'s|’s|s'|s’)(?= )")
ARTICLE = re.compile(r"\A(?:the|an?) (?=\S)")


def alternations(phrase: str) -> tuple[str, ...]:
    """Return `phrase` and its other genitive forms."""
    found = [phrase]
    if parts := OF.fullmatch(phrase):
        found += [f"{b} {parts['a']}" for b in (parts["b"], ARTICLE.sub("", parts["b"], count=1))]
    plain = GENITIVE.sub(lambda m: m["a"] + ("s" if m[0][-1] in "'’" else ""), phrase)
    return tuple(dict.fromkeys([*found, plain]))


def with_genitives(wordings: tuple[str, ...]) -> tuple[str, ...]:
    """Return the wordings of a gold keyphrase with their other genitive forms, those listed first."""
    return tuple(dict.fromkeys([*wordings, *(other for one in wordings for other in alternations(one))]))
