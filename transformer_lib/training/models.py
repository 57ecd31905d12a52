"""How each class of models is described by plain values in a checkpoint, and built from them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import torch
from torch import nn

__all__ = ["MODELS", "ModelKind"]


@dataclass(frozen=True)
class ModelKind:
    """How a class of models is described by plain values, and built from them."""

    describe: Callable[[Any], dict[str, Any] | None]
    build: Callable[[Mapping[str, Any]], nn.Module]


def _configured(module: str, name: str, config_name: str, *options: str) -> ModelKind:
    """A class built from a configuration and, by keyword, from ``options``, which are its attributes too."""

    def describe(model: Any) -> dict[str, Any] | None:
        if not getattr(model, "is_of_config", True):
            return None
        return model.config.to_dict() | {option: getattr(model, option) for option in options}

    def build(values: Mapping[str, Any]) -> nn.Module:
        library = import_module(f"transformer_lib.{module}")
        given = {option: values[option] for option in options if option in values}
        shape = {key: value for key, value in values.items() if key not in options}
        config = getattr(library, config_name).from_dict(shape)
        return getattr(library, name)(config, **given, generator=torch.Generator().manual_seed(0))

    return ModelKind(describe, build)


def _sized(module: str, name: str, *sizes: str, **renamed: str) -> ModelKind:
    """A class built by keyword from ``sizes``, which are its attributes too, and from attributes renamed."""

    def build(values: Mapping[str, Any]) -> nn.Module:
        model = getattr(import_module(f"transformer_lib.{module}"), name)
        return model(**values, generator=torch.Generator().manual_seed(0))

    attributes = {size: size for size in sizes} | renamed
    return ModelKind(lambda model: {key: getattr(model, name) for key, name in attributes.items()}, build)


def _with_prior(module: str, name: str, config_name: str) -> ModelKind:
    """A class built from a configuration and a prior, if that is itself one of :data:`MODELS`."""

    def describe(model: Any) -> dict[str, Any] | None:
        prior = type(model.prior).__name__
        if prior not in MODELS:
            return None
        return model.config.to_dict() | {"prior": [prior, MODELS[prior].describe(model.prior)]}

    def build(values: Mapping[str, Any]) -> nn.Module:
        library = import_module(f"transformer_lib.{module}")
        prior_class, prior_values = values.get("prior") or (None, {})
        if prior_class not in MODELS:
            raise ValueError(f"its prior is a {prior_class}")
        prior = MODELS[prior_class].build(prior_values)
        shape = {key: value for key, value in values.items() if key != "prior"}
        config = getattr(library, config_name).from_dict(shape)
        return getattr(library, name)(config, prior, generator=torch.Generator().manual_seed(0))

    return ModelKind(describe, build)


MODELS = {
    "DecoderLM": _configured("transformer.language_model", "DecoderLM", "TransformerConfig"),
    "Encoder": _configured("transformer.encoder_decoder", "Encoder", "TransformerConfig"),
    "Classifier": _configured(
        "transformer.encoder_decoder", "Classifier", "TransformerConfig", "n_classes", "pooling"
    ),
    "EncoderDecoder": _configured("transformer.encoder_decoder", "EncoderDecoder", "TransformerConfig"),
    "RNN": _configured("recurrent.language_model", "RNN", "RecurrentConfig"),
    "LSTM": _configured("recurrent.language_model", "LSTM", "RecurrentConfig"),
    "AblatedLSTM": _configured("recurrent.language_model", "AblatedLSTM", "RecurrentConfig"),
    "Seq2Seq": _configured("recurrent.seq2seq", "Seq2Seq", "Seq2SeqConfig"),
    "CausalConvLM": _configured("density.convolutional", "CausalConvLM", "ConvConfig"),
    "TransformerXL": _configured("transformer.transformer_xl", "TransformerXL", "TransformerXLConfig"),
    "ImageTransformer": _configured(
        "transformer.vision", "ImageTransformer", "TransformerConfig", "width", "window"
    ),
    "CrossModalClassifier": _configured(
        "transformer.vision",
        "CrossModalClassifier",
        "TransformerConfig",
        "n_answers",
        "height",
        "width",
        "patch_size",
    ),
    "NADE": _sized(
        *("density.nade", "NADE", "n_positions", "vocab_size", "d_hidden", "learn_sums"),
        activation="activation_name",
    ),
    "TiedBinaryNADE": _sized("density.nade", "TiedBinaryNADE", "n_positions", "d_hidden"),
    "VQVAE": _with_prior("density.vqvae", "VQVAE", "VQVAEConfig"),
}
"""How each class of models is built; a further class takes a further row."""
