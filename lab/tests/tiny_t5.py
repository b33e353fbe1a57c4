"""A T5 and a Llama small enough for tests: real architectures and files, random weights, whole words as vocabulary.

They never write a word twice, so that a summary of anything is a list of different words of `WORDS`.
"""

from pathlib import Path

SPECIALS = ["<pad>", "</s>", "<unk>"]
# The first half are nouns of the texts in the tests, the second half are in none of them.
WORDS = "groundwater farms wells plain water rain winter rivers desalination irrigation hydrology geology".split()
WINDOW = 40
CHAT = "{% for message in messages %}user : {{ message['content'] }}{% endfor %} assistant : "


def make(folder: Path, *, window: int = WINDOW) -> Path:
    """Write a T5 and its tokeniser into `folder`."""
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    vocabulary = _tokenizer(folder, window)
    torch.manual_seed(4)
    sizes = {"d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 1, "num_heads": 2}
    config = T5Config(vocab_size=vocabulary, decoder_start_token_id=0, pad_token_id=0, eos_token_id=1, **sizes)
    model = T5ForConditionalGeneration(config)
    model.generation_config.no_repeat_ngram_size = 1
    model.generation_config.max_length = 142  # as BART's for news, which must not get in the way
    model.save_pretrained(folder)
    return folder


def make_chat(folder: Path, *, window: int = 400, template: str | None = CHAT) -> Path:
    """Write a Llama that answers chats into `folder`."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    vocabulary = _tokenizer(folder, window, template)
    torch.manual_seed(4)
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = LlamaConfig(vocab_size=vocabulary, pad_token_id=0, bos_token_id=0, eos_token_id=1, **sizes)
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def _tokenizer(folder: Path, window: int, template: str | None = None) -> int:
    """Write a tokeniser, and return the size of its vocabulary."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: i for i, word in enumerate([*SPECIALS, *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    named = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    whole = PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=window, **named)
    whole.chat_template = template
    whole.save_pretrained(folder)
    return len(vocabulary)
