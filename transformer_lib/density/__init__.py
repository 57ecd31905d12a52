"""Autoregressive models without attention or recurrence: NADE and its baselines, n-grams, WaveNet, VQ-VAE.

Chapters 1 to 3 build them; later chapters compare with them.
"""

from transformer_lib.density.baselines import BernoulliPixels, FeedforwardHistory, FullyVisibleSigmoid
from transformer_lib.density.convolutional import CausalConvLM, ConvConfig
from transformer_lib.density.nade import NADE, TiedBinaryNADE
from transformer_lib.density.ngram import KneserNey
from transformer_lib.density.vqvae import VQVAE, VQVAEConfig, vqvae_loss

__all__ = [
    "NADE",
    "VQVAE",
    "BernoulliPixels",
    "CausalConvLM",
    "ConvConfig",
    "FeedforwardHistory",
    "FullyVisibleSigmoid",
    "KneserNey",
    "TiedBinaryNADE",
    "VQVAEConfig",
    "vqvae_loss",
]
