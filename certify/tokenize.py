"""Text to token ids, as the model's own tokenizer.json says, without its truncation and padding."""

from pathlib import Path

from .errors import InputError, ModelError


def token_ids(folder: Path, text: str, tokens: int, positions: int) -> list[int]:
    """The first `tokens` - 1 tokens of the text and the closing [SEP]: a sequence that the model could really be given.

    The whole text is encoded with its special tokens ([CLS] first, [SEP] last); `tokens` counts both. One token is
    [CLS] alone, so that n = 1 has an input too.

    Raises InputError for fewer than one token, more than the model's `positions`, or more than the text yields, and
    for an empty text; ModelError for a folder without a readable WordPiece tokenizer.json.
    """
    _check_count(tokens, positions)
    ids, special = _encode(folder, text)
    if not ids[1:-1]:
        raise InputError("the text is empty: give one with at least one word")
    if not (special[0] and special[-1]):
        raise ModelError(f"tokenizer.json in {folder} puts no [CLS] and [SEP] around a text: not a BERT tokenizer")
    if tokens > len(ids):
        raise InputError(f"{tokens} tokens asked for, the text yields {len(ids)} with [CLS] and [SEP]: ask for fewer")
    return ids[:1] if tokens == 1 else [*ids[: tokens - 1], ids[-1]]


def _check_count(tokens: int, positions: int) -> None:
    if tokens < 1:
        raise InputError(f"{tokens} tokens asked for: at least 1 is needed")
    if tokens > positions:
        raise InputError(f"{tokens} tokens asked for, the model has {positions} positions: ask for at most {positions}")


def _encode(folder: Path, text: str) -> tuple[list[int], list[int]]:
    """Ids of the whole text with special tokens, and the mask that tells which are special."""
    from tokenizers import Tokenizer

    path = folder / "tokenizer.json"
    if not path.is_file():
        raise ModelError(f"no tokenizer.json in {folder}: give an input array instead of a text")
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises bare Exception
        raise ModelError(f"{path} is not a tokenizer: {error}") from None
    tokenizer.no_truncation()
    tokenizer.no_padding()
    encoding = tokenizer.encode(text)
    return encoding.ids, encoding.special_tokens_mask
