"""Recurrent networks: RNN and LSTM cells, their language models, and translators that align (chapters 4, 5).

The alignment is the attention that came before the Transformer's: every scoring and weighting of chapter 5.
Chapter 16 takes the LSTM apart, and goes on to linear attention, a recurrent network and an attention.
"""

from transformer_lib.recurrent.ablations import PartialLSTMLayer
from transformer_lib.recurrent.alignment import SCORINGS, WEIGHTINGS, Alignment
from transformer_lib.recurrent.cells import AblatedLSTMLayer, LSTMLayer, RNNLayer
from transformer_lib.recurrent.language_model import LSTM, RNN, AblatedLSTM, RecurrentConfig
from transformer_lib.recurrent.linear_attention import LinearAttention
from transformer_lib.recurrent.seq2seq import Seq2Seq, Seq2SeqConfig

__all__ = [
    "LSTM",
    "RNN",
    "SCORINGS",
    "WEIGHTINGS",
    "AblatedLSTM",
    "AblatedLSTMLayer",
    "Alignment",
    "LSTMLayer",
    "LinearAttention",
    "PartialLSTMLayer",
    "RNNLayer",
    "RecurrentConfig",
    "Seq2Seq",
    "Seq2SeqConfig",
]
