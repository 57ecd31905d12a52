"""A model of this library as a folder that Hugging Face's ``transformers`` loads."""

import json
import os
from pathlib import Path

from transformer_lib.released.gpt2 import to_gpt2
from transformer_lib.released.llama import to_llama
from transformer_lib.released.tensors import STORED, WEIGHTS, predicted
from transformer_lib.transformer.language_model import DecoderLM

__all__ = ["save_pretrained"]


def save_pretrained(model: DecoderLM, folder: str | os.PathLike[str]) -> Path:
    """Write ``config.json`` and ``model.safetensors`` in Hugging Face's layout, as a GPT-2 or as a Llama.

    A model with rotary positions is written as a Llama, any other as a GPT-2. Either computes what the model
    does. ``transformers.AutoModelForCausalLM.from_pretrained(folder)`` loads it, and so does
    :func:`~transformer_lib.released.gpt2.load_gpt2` or :func:`~transformer_lib.released.llama.load_llama`,
    which checks predictions that are stored with the weights. The start token is written as
    ``bos_token_id``, and has to be put before a prompt; the tokenizer is not part of a model.

    Parameters
    ----------
    model
        The model, whose weights are written in their precision.
    folder
        Where; it is made if need be, and its earlier model is replaced.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    ValueError
        If neither a GPT-2 nor a Llama computes the same, naming what differs, or if a weight is not finite.
    """
    if not isinstance(model, DecoderLM) or not model.is_of_config:
        raise ValueError(
            "only a DecoderLM with the positions and the mask of its configuration can be written"
        )
    if model.stack.blocks[0].cross_attention is not None:
        raise ValueError("a decoder that attends to a memory is neither a GPT-2 nor a Llama")
    from safetensors.torch import save

    from transformer_lib.training.files import write_atomically

    settings, tensors = (to_llama if model.config.positions == "rotary" else to_gpt2)(model)
    weights = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    broken = [name for name, tensor in weights.items() if not tensor.isfinite().all()]
    if broken:
        raise ValueError(f"weights that are not finite are not written: {broken[0]}")
    (dtype,) = {str(tensor.dtype).removeprefix("torch.") for tensor in weights.values()}
    settings |= {"dtype": dtype, "eos_token_id": None, "pad_token_id": None}
    content = save(weights, metadata={"format": "pt", STORED: json.dumps(predicted(model))})
    folder = Path(folder)
    # Never new weights beside the settings of old ones: without settings, they are refused.
    (folder / "config.json").unlink(missing_ok=True)
    write_atomically(folder / WEIGHTS, content)
    write_atomically(folder / "config.json", (json.dumps(settings, indent=2) + "\n").encode())
    return folder
