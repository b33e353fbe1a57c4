"""JointKPE trained where only PyTorch and Transformers are installed: examples are packed first, elsewhere.

    python lab/benchmarks/jointkpe.py pack --data DIR --encoder MINILM -o packed
    python lab/benchmarks/jointkpe.py train --packed packed --encoder MINILM -o run --device cuda --minutes 10

MINILM is the Transformers folder of the encoder. `train` measures its speed first, and then has as many epochs as fit
the time, at most those of lab/recipes/bertkpe.toml; if not even two fit, it reads fewer of the first source. The folder
`run` lacks the tokeniser, which `phrasemill train bertkpe` would add.
"""

import time
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from phrasemill.errors import PhrasemillError
from phrasemill_lab.bench.scripts import parser as options_parser
from phrasemill_lab.models.recipes import TrainingRecipe, load_recipe

RECIPE = Path(__file__).parents[1] / "recipes/bertkpe.toml"
PROBE = 60  # updates by which the speed is measured
FEWEST_EPOCHS = 2


def recipe_of(options: Namespace) -> TrainingRecipe:
    recipe = load_recipe(RECIPE)
    return replace(recipe, network={**recipe.network, "encoder": str(options.encoder)})


def pack(options: Namespace) -> None:
    from phrasemill_lab.models.jointkpe_packed import pack

    pack(recipe_of(options), options.data, options.output)


def train(options: Namespace) -> None:
    import torch

    from phrasemill_lab.models.jointkpe_packed import JointRun

    until = time.time() + 60 * options.minutes
    torch.set_num_threads(options.threads)
    if options.device.startswith("cuda"):
        torch.cuda.set_per_process_memory_fraction(options.memory)
    recipe = recipe_of(options)
    recipe = replace(
        recipe, schedule=replace(recipe.schedule, workers=options.workers, batch=options.batch, checkpoint=10**9)
    )
    run = JointRun(recipe, options.packed, options.encoder, device=options.device)
    print(f"{time.strftime('%H:%M:%S')} examples read: {run.counts()}", flush=True)
    speed = run.speed(options.probe)
    wanted = int((until - time.time() - 20) / speed)  # updates; 20 seconds for validation
    epochs, share = fitting(wanted, run.updates(), run.updates(0), recipe.schedule.epochs)
    print(f"{speed:.3f} s per update: {epochs} epochs with {share:.2f} of the first source", flush=True)
    warmup = min(recipe.schedule.warmup, max(1, wanted // 20))
    schedule = replace(recipe.schedule, epochs=epochs, warmup=warmup)
    run.train(options.output, schedule, share=share, over=lambda _: time.time() > until)


def fitting(wanted: int, all_updates: int, of_first: int, most: int) -> tuple[int, float]:
    """Return the epochs that fit, and the share of the first source; updates are those of an epoch."""
    epochs = min(most, wanted // all_updates)
    if epochs >= FEWEST_EPOCHS:
        return epochs, 1.0
    rest = all_updates - of_first
    return FEWEST_EPOCHS, min(1.0, max(0.1, (wanted / FEWEST_EPOCHS - rest) / of_first))


def main() -> None:
    parser = options_parser(__doc__, data=False)
    commands = parser.add_subparsers(required=True)
    made = commands.add_parser("pack")
    made.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder with the data")
    made.add_argument("--encoder", type=Path, required=True, metavar="DIR")
    made.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
    made.set_defaults(run=pack)
    made = commands.add_parser("train")
    made.add_argument("--packed", type=Path, required=True, metavar="DIR", help="what `pack` wrote")
    made.add_argument("--encoder", type=Path, required=True, metavar="DIR")
    made.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
    made.add_argument("--device", default="cpu")
    made.add_argument("--minutes", type=float, default=10)
    made.add_argument("--memory", type=float, default=0.9, help="share of the GPU's (default: %(default)s)")
    made.add_argument("--batch", type=int, default=64, help="documents of an update (default: %(default)s)")
    made.add_argument("--threads", type=int, default=1)
    made.add_argument("--workers", type=int, default=2, help="processes that make batches (default: %(default)s)")
    made.add_argument("--probe", type=int, default=PROBE, help="updates to measure the speed by (default: %(default)s)")
    made.set_defaults(run=train)
    options = parser.parse_args()
    try:
        options.run(options)
    except (OSError, PhrasemillError) as error:
        raise SystemExit(str(error)) from None


if __name__ == "__main__":
    main()
