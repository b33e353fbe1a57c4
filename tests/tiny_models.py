"""Small models of the trained methods, learned from a small collection of our own."""

from pathlib import Path

from phrasemill.training.trainer import TRAINERS
from phrasemill.types import Document

NAMES = ("kea", "maui", "maxent", "naivebayes")
# What a text is about; on the next line, what it only mentions.
LINES = """\
salt marsh | tidal creek | mud crab
old fence; north wind; tin roof; grey cat; long letter; green lamp; torn map; loose plank
bread oven | sourdough starter | rye flour
kitchen door; wooden spoon; cold soup; blue cup; paper bag; spare key; loud radio; late guest
bee hive | nectar flow | worker bee
garden wall; summer rain; clay pot; stray dog; rusty nail; deep shadow; broken step; pale moon
clock tower | pendulum swing | brass gear
market square; evening light; brown coat; small bell; toy horse; damp cloth; cheap ring; bent coin
river ferry | cable winch | landing stage
stone bridge; morning fog; wet sail; tall reed; spare oar; silver spoon; young heron; thin rope
glass furnace | silica sand | blow pipe
coal cellar; night shift; hot stove; black boot; cracked mug; iron hook; heavy glove; short pause
peat bog | moss cover | water table
gravel road; hiking boot; lost hat; wild berry; soft bread; lone crow; muddy sleeve; warm scarf
paper mill | wood pulp | drying cylinder
railway siding; lunch break; blank page; stiff brush; spilt ink; high shelf; round stool; narrow stair
apple orchard | fruit graft | pruning saw
picnic table; village school; ripe plum; sharp knife; empty crate; curious child; old song; white gate
wind pump | storage tank | sail blade
barn roof; dusty track; flat tyre; tin bucket; lazy snake; pink cloud; faded sign; slow train
sheep flock | shearing shed | wool grade
dry ditch; border town; black ram; tired horse; wet hedge; steep slope; blue smoke; quiet inn
light house | lens rotation | signal lamp
rope ladder; winter storm; grey seal; salt stain; full moon; spare blanket; dim corridor; lost glove
""".splitlines()
SUBJECTS = [(*about.split(" | "), mentioned) for about, mentioned in zip(LINES[::2], LINES[1::2], strict=True)]
FILLER = "Nothing else was written down that week, and the visitors went home by the usual path before it grew dark. "


def article(first: str, second: str, third: str, mentioned: str, fillers: int = 1) -> Document:
    """A text on three things that it names early and often; others are mentioned once, near the end."""
    text = (
        f"The {first} needs care. A {first} depends on the {second}, and the {second} on the {third}. "
        f"When the {third} fails, repair the {second} first. {FILLER * fillers}"
        f"People who know the {first} say so. {FILLER}Also seen: {mentioned}."
    )
    return Document(first, text, f"On the {first}", references=(first, (second, f"{second} work"), third))


def documents() -> list[Document]:
    """The collection."""
    return [article(*subject, fillers=number % 3 + 1) for number, subject in enumerate(SUBJECTS)]


def make(folder: Path) -> dict[str, str]:
    """The spec of each trained method, with a model saved in `folder`."""
    found = {}
    for name in NAMES:
        trainer = TRAINERS.build("maui(leaf=5)" if name == "maui" else name)
        trainer.fit(documents()).save(folder / name)
        found[name] = trainer.spec(folder / name)
    return found
