"""BERT encoders from a folder with config.json and model.safetensors; F16, BF16 and F32 weights are exact."""

from functools import partial
from pathlib import Path

from ..bert_config import bert_config
from ..bert_forward import hidden_states
from ..bert_weights import BertWeights
from ..errors import ModelError, UnsupportedModelError
from ..loaded_layer import LoadedLayer, Loader, check_layer, facts
from ..model_folder import WEIGHTS, folder_of, model_type
from ..safetensors_file import open_safetensors


def recognises(model: object) -> bool:
    return model_type(model) == "bert"


def load(model: object, layer: int | None) -> LoadedLayer:
    """Raises ModelError for weights, configuration or a layer that cannot be used, naming it."""
    path = Path(str(model))
    folder = folder_of(path) or path
    return load_bert(folder, folder / WEIGHTS if folder == path else path, layer, name=str(model))


def load_bert(folder: Path, weights_path: Path, layer: int | None, name: str) -> LoadedLayer:
    """Layer `layer` of the BERT in the folder, called `name` in messages and reports."""
    config = bert_config(folder)
    index = check_layer(layer, config.num_hidden_layers, name)
    weights = BertWeights(open_safetensors(_present(weights_path)), config)
    attention = weights.attention(index)
    image, norm_sources = weights.norm_before(index)
    dtypes = sorted({source.dtype for source in attention.sources.values()})
    return LoadedLayer(
        name=name,
        attention=attention,
        layer=index,
        norm_image=image,
        norm_sources=norm_sources,
        positions=config.max_position_embeddings,
        weights_path=weights_path,
        hidden_states=partial(hidden_states, weights, folder, index),
        facts=facts(attention, " ".join(dtypes)),
        block="post-norm",
        block_norm=weights.norm_after(index),
    )


def _present(path: Path) -> Path:
    """The file, if it exists; a sharded or pickled model is refused by the name of what lies there instead."""
    if path.is_file():
        return path
    shards = path.with_name(f"{path.name}.index.json")
    if shards.is_file():
        raise UnsupportedModelError(f"{shards} splits the weights over several files: merge them into one {path.name}")
    raise ModelError(f"no {path.name} in {path.parent}: save the model with safetensors")


LOADER = Loader("a BERT folder with config.json and model.safetensors", recognises, load)
