"""Encoders small enough for tests, as Transformers saves them, with random weights; and small models of JointKPE."""

import string
from argparse import Namespace
from pathlib import Path

import torch

from phrasemill_lab.networks import jointkpe_export as export
from phrasemill_lab.networks import jointkpe_files as files
from phrasemill_lab.networks.jointkpe import JointKPE

SIZES = {"hidden_size": 24, "intermediate_size": 32, "num_attention_heads": 2, "num_hidden_layers": 1}


def bert(folder: Path, *, positions: int = 64, seed: int = 3) -> Path:
    """A BERT that knows letters, in pieces of one letter or two."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    letters = string.ascii_lowercase + string.digits + string.punctuation
    pairs = [a + b for a in string.ascii_lowercase for b in string.ascii_lowercase]
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters, *pairs, *(f"##{one}" for one in (*letters, *pairs))]
    tokenizer = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    named = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **named).save_pretrained(folder)
    torch.manual_seed(seed)
    BertModel(BertConfig(vocab_size=len(pieces), max_position_embeddings=positions, **SIZES)).save_pretrained(folder)
    return folder


def roberta(folder: Path, *, positions: int = 66, seed: int = 3) -> Path:
    """A RoBERTa that knows bytes; two of its positions are for padding."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast, RobertaConfig, RobertaModel

    pieces = ["<s>", "<pad>", "</s>", "<unk>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokenizer = Tokenizer(models.BPE({piece: i for i, piece in enumerate(pieces)}, [], unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    tokenizer.decoder = decoders.ByteLevel()
    named = {"pad_token": "<pad>", "unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>"}
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **named).save_pretrained(folder)
    torch.manual_seed(seed)
    config = RobertaConfig(vocab_size=len(pieces), max_position_embeddings=positions, pad_token_id=1, **SIZES)
    RobertaModel(config).save_pretrained(folder)
    return folder


def untrained(encoder: Path, *, width: int = 12, seed: int = 5) -> JointKPE:
    torch.manual_seed(seed)
    return JointKPE(files.pretrained(encoder), width=width).eval()


def make(folder: Path, *, seed: int = 5, int8: bool = False) -> dict[str, str]:
    """The spec of the method, with an untrained model saved in `folder` as training saves one."""
    encoder = bert(folder / "bert", positions=256)
    files.save(folder / "model", untrained(encoder, seed=seed), files.tokenizer(encoder), int8=int8)
    export.write_graph(folder / "model")
    return {"bertkpe": f"bertkpe(model={str(folder / 'model')!r})"}


def published(network: JointKPE, kind: str) -> dict[str, object]:
    """A checkpoint as the authors save theirs."""
    names = {
        "convolutions": "cnn2gram.cnn_list",
        "ranking": "classifier",
        "chunking": "chunk_classifier",
        "encoder": kind,
    }
    weights = {}
    for name, value in network.state_dict().items():
        part, _, rest = name.partition(".")
        weights[f"{names[part]}.{rest}"] = value
    weights[f"{kind}.embeddings.position_ids"] = torch.arange(4)[None]
    return {"args": Namespace(run_mode="train", max_token=510), "epoch": 6, "state_dict": weights}
