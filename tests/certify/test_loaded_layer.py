import pytest

from certify.errors import ModelError
from certify.loaded_layer import LoadedLayer, check_head, check_layer, facts
from tests.certify.layers import random_layer
from tests.certify.refusal import refused


def test_layers_that_exist_pass_and_none_means_the_first() -> None:
    assert [check_layer(layer, 3, "minilm") for layer in (None, 0, 1, 2)] == [0, 0, 1, 2]


@pytest.mark.parametrize("layer", [9, 6, -1])
def test_other_layers_are_refused(layer: int) -> None:
    with refused(ModelError, f"layer {layer} does not exist: minilm has layers 0 to 5"):
        check_layer(layer, 6, "minilm")


def test_a_model_of_one_layer() -> None:
    with refused(ModelError, "layer 1 does not exist: small has only layer 0"):
        check_layer(1, 1, "small")


@pytest.mark.parametrize("head", [2, -1])
def test_heads(head: int) -> None:
    loaded = LoadedLayer("minilm", random_layer(0, heads=2))
    assert [check_head(loaded, h) for h in (0, 1)] == [0, 1]
    with refused(ModelError, f"head {head} does not exist: minilm has heads 0 to 1"):
        check_head(loaded, head)


def test_facts() -> None:
    layer = random_layer(0, heads=2)
    assert facts(layer, "F32") == {"heads": 2, "d": layer.width, "k": layer.head_size, "dtype": "F32"}
