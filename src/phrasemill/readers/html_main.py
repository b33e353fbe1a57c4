"""Which part of a page is its main element.

As in Arc90's Readability (2009), paragraphs give points to the elements around them, for their length and their commas;
link text and names such as `sidebar` take points away. The element with the most points is the main text, with those
of its siblings that read like it. What is left in it of menus, share bars, related links and forms is taken out.
"""

from phrasemill.readers.html_tree import BLOCKS, HEADINGS, WITHOUT_TEXT, Element, Page

BOILERPLATE_TAGS = frozenset("nav aside button select option dialog menu datalist input footer".split())
BOILERPLATE_ROLES = frozenset(
    "navigation banner contentinfo complementary search menu menubar toolbar dialog alertdialog alert".split()
)
# Words in the class or id of an element. The first never hold the main text; the others only count against it.
UNLIKELY = frozenset(
    "ad ads adsense advert advertisement banner breadcrumb breadcrumbs comments comment disqus respond replies reply"
    " cookie cookies consent gdpr footer masthead menu submenu nav navbar navigation newsletter subscribe subscription"
    " signup pagination pager popup modal overlay related recommended recommendation recommendations promo promoted"
    " share sharing social sidebar skyscraper sponsor sponsored outbrain taboola toolbar widget shoutbox".split()
)
COMMENTS = frozenset("comments comment disqus respond replies reply shoutbox".split())
LIKELY = frozenset("article body column content main post story text entry page shadow".split())
NEGATIVE = UNLIKELY | frozenset(
    "hidden contact foot footnote meta scroll shopping tags tool media byline tweet".split()
)
POSITIVE = frozenset("article body content entry hentry main page post text blog story prose".split())
LAYOUT = frozenset("with has no without layout open closed active".split())  # page-with-sidebar
KEPT = frozenset("html body article main a".split())
BYLINES = frozenset("byline dateline writtenby author".split())
CONTAINERS = frozenset("div section article main td blockquote body html center form fieldset".split())
CLEANED = frozenset("div section ul ol dl table form fieldset header figure p span aside".split())

SHORTEST = 25  # characters of a paragraph that gives points
FEWEST = 250  # characters of a main text; below, a page has too little to choose from
SHARE_OF_BEST = 0.2  # of the points of the best element that a sibling needs
SIMILAR = 0.75  # of the points of the best element that others need to be parts of the same text
ALTERNATIVES = 3  # elements with so many points that have one around all of them
PROSE = 200  # characters of running text beside the best element
LONG = 80  # characters of a sibling that is a paragraph by itself
MOST_COMMAS = 10  # what has more of them is prose
NEARLY, NEARBY = 0.9, 4  # of the points of an element that make one around it, so many levels up, as good
MOST_REMOVED, MOST_LINKS = 0.4, 0.8  # of the chosen text: what has more is the text, unless it is all links
# Links in a row that are a menu, how many characters each has on average, and what must be left without it.
MENU_LINKS, MENU_WIDTH, FEWEST_LEFT = 4, 25, 100
DEEPEST = 200  # elements around another that are looked at
LONGEST_BYLINE, LONGEST_SHARING = 100, 500  # characters
ARTICLES = frozenset(("article", "main"))
SHARING = frozenset("share sharing sharedaddy social".split())
TAG_POINTS = {"div": 5, "article": 10, "main": 10, "pre": 3, "td": 3, "blockquote": 3, "form": -3, "ol": -3, "ul": -3}
TAG_POINTS |= dict.fromkeys(HEADINGS | {"th", "address", "dl"}, -5)


SHARES = (1, 1 / 2, 1 / 6, 1 / 9, 1 / 12)  # of a paragraph's points, for what it stands in, from the inside outwards


def prune(page: Page, names: frozenset[str]) -> bool:
    """Remove what is never the main text: boilerplate by its element or role, what is hidden, and by these names.

    Return whether names made a difference.
    """
    named = False
    for element in page.elements:
        element.score = 0.0
        element.removed = _is_boilerplate(element)
        if not element.removed and _is_unlikely(element, names):
            named = element.removed = True
    page.measure()
    return named


def _is_boilerplate(element: Element) -> bool:
    name = element.name
    if name in WITHOUT_TEXT:
        return True
    if name in ("html", "body"):
        return False
    if name in BOILERPLATE_TAGS or element.role in BOILERPLATE_ROLES or element.is_hidden:
        return True
    return name == "header" and not _is_within(element, ARTICLES)


def _is_within(element: Element, names: frozenset[str]) -> bool:
    holder = element.parent
    for _ in range(DEEPEST):
        if holder is None:
            return False
        if holder.name in names:
            return True
        holder = holder.parent
    return False


def _is_unlikely(element: Element, names: frozenset[str]) -> bool:
    if element.name in KEPT or not element.words or not names:
        return False
    unlikely = any(words & names and not words & LAYOUT for words in element.words)
    return unlikely and not any(words & LIKELY and not words & UNLIKELY for words in element.words)


def name_points(element: Element) -> int:
    """Return what the names of an element say for it: 25 points each way."""
    points = 0
    for words in element.words:
        if not words & LAYOUT:
            points += 25 * bool(words & POSITIVE) - 25 * bool(words & NEGATIVE)
    return max(-50, min(50, points))


def main_elements(page: Page) -> list[Element]:
    """Return the elements that hold the main text, in order; none where the page has too little text to tell."""
    candidates = _candidates(page)
    if not candidates:
        return []
    best = _climb(max(candidates, key=lambda one: one.score), candidates)
    chosen = _with_siblings(best)
    return chosen if sum(element.size for element in chosen) >= FEWEST else []


def _candidates(page: Page) -> list[Element]:
    """Give points to the elements around paragraphs; return those that have any."""
    found: dict[int, Element] = {}
    for element in page.elements:
        own = element.own
        if element.removed or own < SHORTEST or element.name not in BLOCKS:
            continue
        points = (1 + element.own_commas + min(3, own // 100)) * (1 - element.own_linked / own)
        holder = element if element.name in CONTAINERS else element.parent
        for share in SHARES:
            if holder is None or holder.name == "html":
                break
            if id(holder) not in found:
                found[id(holder)] = holder
                holder.score = float(TAG_POINTS.get(holder.name, 0) + name_points(holder))
            holder.score += points * share
            holder = holder.parent
    for element in found.values():
        element.score *= 1 - element.link_density
    return list(found.values())


def _climb(best: Element, candidates: list[Element]) -> Element:
    """Return the element around `best` that holds the whole text, where `best` is one part of it."""
    strong = sorted(candidates, key=lambda one: -one.score)[: ALTERNATIVES + 2]
    around = [_ancestors(one) for one in strong if one is not best and one.score >= SIMILAR * best.score]
    for holder in _ancestors(best):
        if holder.name != "html" and sum(any(holder is one for one in chain) for chain in around) >= ALTERNATIVES:
            best = holder
            break
    for holder in _ancestors(best)[:NEARBY]:
        if holder.name not in ("body", "html") and holder.score > NEARLY * best.score:
            best = holder
    while best.parent and best.parent.name not in ("body", "html") and len(best.parent.elements()) == 1:
        best = best.parent
    return best


def _ancestors(element: Element) -> list[Element]:
    found: list[Element] = []
    holder = element.parent
    while holder is not None and len(found) < DEEPEST:
        found.append(holder)
        holder = holder.parent
    return found


def _with_siblings(best: Element) -> list[Element]:
    """Return the best element and those beside it that read like it."""
    if best.parent is None or best.name == "body":
        return [best]
    least = max(10.0, SHARE_OF_BEST * best.score)
    kind = best.attributes.get("class", "")
    chosen: list[Element] = []
    for element in best.parent.elements():
        bonus = SHARE_OF_BEST * best.score if kind and element.attributes.get("class") == kind else 0.0
        if element is best or element.score + bonus >= least or _is_paragraph(element) or _is_prose(element):
            chosen.append(element)
    inner, holder = best.parent, best.parent.parent
    while holder is not None and inner.name != "body":
        beside = holder.elements()
        if any(element is not inner and _is_prose(element) for element in beside):
            at = next(i for i, element in enumerate(beside) if element is inner)
            before = [element for element in beside[:at] if _is_prose(element)]
            chosen = [*before, *chosen, *(element for element in beside[at + 1 :] if _is_prose(element))]
        inner, holder = holder, holder.parent
    return chosen


def _is_prose(element: Element) -> bool:
    """Return whether an element is running text, by its length, its commas and how little of it is links."""
    if element.size < PROSE or element.link_density >= 0.1 or name_points(element) < 0:
        return False
    return element.commas * 250 >= element.size


def _is_paragraph(element: Element) -> bool:
    size, density = element.size, element.link_density
    if element.name not in ("p", "pre", "blockquote"):
        return False
    return (size > LONG and density < 0.25) or (0 < size <= LONG and not density and element.commas > 0)


def clean(page: Page, chosen: list[Element]) -> None:
    """Remove everything but the chosen elements, and from these what is no text of theirs."""
    inside: set[int] = set()
    total = sum(element.size for element in chosen)
    wanted = {id(element) for element in chosen}
    for element in page.elements:
        if id(element) in wanted or id(element.parent) in inside:
            inside.add(id(element))
    for element in reversed(page.elements):
        if id(element) in inside and id(element) not in wanted and not element.removed:
            most = MOST_LINKS if element.link_density > MOST_LINKS else MOST_REMOVED
            element.removed = element.size < most * total and _is_leftover(element)
    page.measure()


def clean_short(page: Page) -> None:
    """Remove menus and forms from a page that has too little text to choose from, as long as enough is left."""
    left = page.root.size
    for element in page.elements:
        within = element.parent is not None and element.parent.removed
        if within or element.removed:
            continue
        if (element.name == "form" and 2 * element.size < left) or (
            _is_menu(element) and left - element.size >= FEWEST_LEFT and not _is_within(element, ARTICLES)
        ):
            element.removed = True
            left -= element.size
    page.measure()


def marked_as_main(page: Page) -> list[Element]:
    """Return the outermost elements that the page marks as its main text, where they hold most of its text."""
    found: list[Element] = []
    inside: set[int] = set()
    for element in page.elements:
        marked = element.name in ARTICLES or element.role in ARTICLES
        if id(element.parent) in inside or (marked and not element.removed):
            found += [element] if id(element.parent) not in inside else []
            inside.add(id(element))
    return found if 2 * sum(element.size for element in found) > page.root.size else []


def _is_menu(element: Element) -> bool:
    """Return whether an element is a row of short links, with next to nothing between them."""
    if element.links < MENU_LINKS or element.name not in CLEANED or element.name == "form":
        return False
    return element.linked <= MENU_WIDTH * element.links and 10 * element.linked >= 9 * (element.size - element.links)


def _is_leftover(element: Element) -> bool:
    name = element.name
    if not element.size:
        return False
    if any(words & BYLINES for words in element.words) and element.size < LONGEST_BYLINE:
        return True
    if any(words & SHARING for words in element.words) and element.size < LONGEST_SHARING:
        return True
    if name in HEADINGS:
        return name_points(element) < 0
    if name not in CLEANED:
        return False
    points = name_points(element)
    if points < 0 and name != "p":
        return True
    if element.commas >= MOST_COMMAS:
        return False
    density = element.link_density
    listing = name in ("ul", "ol", "dl") or element.items > 2 * element.paragraphs
    if listing:
        return density > (0.5 if points <= 0 else 0.8)
    if name == "form":
        return element.paragraphs < 1
    return density > (0.5 if points > 0 else 0.3) and name != "p" and name != "span"
