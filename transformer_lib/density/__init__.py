"""Autoregressive models without attention or recurrence: NADE, baselines, n-grams, WaveNet, VQ-VAE, PCFG.

Chapters 1 to 3 build them; later chapters compare with them. The grammar is chapter 18's.
"""

from transformer_lib.density.baselines import BernoulliPixels, FeedforwardHistory, FullyVisibleSigmoid
from transformer_lib.density.convolutional import CausalConvLM, ConvConfig
from transformer_lib.density.nade import NADE, TiedBinaryNADE
from transformer_lib.density.ngram import KneserNey
from transformer_lib.density.pcfg import PCFG
from transformer_lib.density.vqvae import VQVAE, VQVAEConfig, vqvae_loss

__all__ = [
    "NADE",
    "PCFG",
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
