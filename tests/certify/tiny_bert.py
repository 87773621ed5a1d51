"""A BERT folder of a few kilobytes, written byte by byte, so that every way of being broken can be written too."""

import json
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

WIDTH, HEADS, LAYERS, INNER, POSITIONS = 12, 3, 2, 16, 16
WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "down", "the", "rabbit", "hole", "##s", "-")
TEXT = "Down the rabbit-hole, down the holes"  # its pieces, the comma unknown:
CLS, SEP = WORDS.index("[CLS]"), WORDS.index("[SEP]")
PIECES = ["down", "the", "rabbit", "-", "hole", "[UNK]", "down", "the", "hole", "##s"]
ALL = [CLS, *map(WORDS.index, PIECES), SEP]
CONFIG: Mapping[str, Any] = {
    "model_type": "bert",
    "architectures": ["BertModel"],
    "hidden_size": WIDTH,
    "num_attention_heads": HEADS,
    "num_hidden_layers": LAYERS,
    "intermediate_size": INNER,
    "max_position_embeddings": POSITIONS,
    "vocab_size": len(WORDS),
    "type_vocab_size": 2,
    "layer_norm_eps": 1e-12,
    "hidden_act": "gelu",
    "position_embedding_type": "absolute",
}
Arrays = dict[str, NDArray[np.float32]]


def shapes() -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(WORDS), WIDTH),
        "embeddings.position_embeddings.weight": (POSITIONS, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        **_norm("embeddings.LayerNorm"),
    }
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            found |= _linear(f"{at}.attention.{part}", WIDTH, WIDTH)
        found |= _norm(f"{at}.attention.output.LayerNorm") | _norm(f"{at}.output.LayerNorm")
        found |= _linear(f"{at}.intermediate.dense", INNER, WIDTH) | _linear(f"{at}.output.dense", WIDTH, INNER)
    return found


def _linear(name: str, rows: int, columns: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (rows, columns), f"{name}.bias": (rows,)}


def _norm(name: str) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (WIDTH,), f"{name}.bias": (WIDTH,)}


def random_arrays(seed: int = 0) -> Arrays:
    """Every tensor random, biases and LayerNorm included: a zero bias would hide that it is dropped."""
    rng = np.random.default_rng(seed)
    return {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes().items()}


def raw_bytes(values: NDArray[np.generic], dtype: str) -> bytes:
    if dtype == "BF16":  # rounded toward zero, which any float32 survives
        return (values.astype("<f4").view("<u4") >> 16).astype("<u2").tobytes()
    return values.astype({"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8"}[dtype]).tobytes()


def write_safetensors(path: Path, arrays: Mapping[str, NDArray[np.generic]], dtype: str = "F32") -> None:
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    data = b""
    for name, values in arrays.items():
        raw = raw_bytes(values, dtype)
        header[name] = {
            "dtype": dtype,
            "shape": list(values.shape),
            "data_offsets": [len(data), len(data) + len(raw)],
        }
        data += raw
    write_raw(path, json.dumps(header).encode(), data)


def write_raw(path: Path, header: bytes, data: bytes, length: int | None = None) -> None:
    path.write_bytes(struct.pack("<Q", len(header) if length is None else length) + header + data)


def write_tokenizer(folder: Path) -> None:
    """A WordPiece tokenizer that truncates and pads, as the demo model's does: both must be switched off."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordPiece({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", SEP), ("[CLS]", CLS))
    tokenizer.enable_truncation(5)
    tokenizer.enable_padding(length=5)
    tokenizer.save(str(folder / "tokenizer.json"))


def write_bert(
    folder: Path,
    dtype: str = "F32",
    prefix: str = "",
    change: Callable[[Arrays], object] = lambda arrays: None,
    **config: Any,
) -> Path:
    """The folder with its four files; `change` edits the arrays, keywords edit config.json (None removes a key)."""
    folder.mkdir(exist_ok=True)
    arrays = random_arrays()
    change(arrays)
    merged = {key: value for key, value in {**CONFIG, **config}.items() if value is not None}
    (folder / "config.json").write_text(json.dumps(merged))
    write_safetensors(folder / "model.safetensors", {prefix + name: a for name, a in arrays.items()}, dtype)
    write_tokenizer(folder)
    return folder
