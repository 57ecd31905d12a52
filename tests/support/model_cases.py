"""A small model of every class that checkpoints name."""

from dataclasses import replace

from transformer_lib.density.convolutional import CausalConvLM, ConvConfig
from transformer_lib.density.nade import NADE, TiedBinaryNADE
from transformer_lib.density.vqvae import VQVAE, VQVAEConfig
from transformer_lib.recurrent.language_model import LSTM, RNN, AblatedLSTM, RecurrentConfig
from transformer_lib.recurrent.seq2seq import Seq2Seq, Seq2SeqConfig
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.encoder_decoder import Classifier, Encoder, EncoderDecoder
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.transformer_xl import TransformerXL, TransformerXLConfig
from transformer_lib.transformer.vision import CrossModalClassifier, ImageTransformer

SHAPE = TransformerConfig(7, 6, d_model=8, n_heads=2, n_layers=1, activation="relu", dropout=0.1)
PIXELS = replace(SHAPE, positions="none")
CELLS = RecurrentConfig(7, d_model=8, n_layers=2, learned_initial_state=True)
PAIRS = Seq2SeqConfig(7, 5, d_model=8, attention="additive")
BOOK = VQVAEConfig(4, 4, 7, latent_height=2, latent_width=2, n_codes=5, d_code=3, d_hidden=4)
CASES = {
    "DecoderLM": lambda generator: DecoderLM(SHAPE, generator=generator),
    "Encoder": lambda generator: Encoder(SHAPE, generator=generator),
    "Classifier": lambda generator: Classifier(SHAPE, 3, pooling="mean", generator=generator),
    "EncoderDecoder": lambda generator: EncoderDecoder(SHAPE, generator=generator),
    "RNN": lambda generator: RNN(CELLS, generator=generator),
    "LSTM": lambda generator: LSTM(CELLS, generator=generator),
    "AblatedLSTM": lambda generator: AblatedLSTM(CELLS, generator=generator),
    "Seq2Seq": lambda generator: Seq2Seq(PAIRS, generator=generator),
    "CausalConvLM": lambda generator: CausalConvLM(ConvConfig(7, d_model=8), generator=generator),
    "TransformerXL": lambda generator: TransformerXL(
        TransformerXLConfig(7, 4, d_model=8), generator=generator
    ),
    "ImageTransformer": lambda generator: ImageTransformer(PIXELS, 3, window=2, generator=generator),
    "CrossModalClassifier": lambda generator: CrossModalClassifier(SHAPE, 3, 4, 4, 2, generator=generator),
    "NADE": lambda generator: NADE(4, 7, 3, generator=generator),
    "TiedBinaryNADE": lambda generator: TiedBinaryNADE(4, 3, generator=generator),
    "VQVAE": lambda generator: VQVAE(BOOK, CausalConvLM(ConvConfig(5, d_model=4)), generator=generator),
}
