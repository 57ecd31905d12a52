"""Training: the loop, its settings and schedules, checkpoints, evaluation, and run records."""

from transformer_lib.losses import (
    StreamLoss,
    language_model_loss,
    sampled_cross_entropy,
    sampled_language_model_loss,
    translation_loss,
)
from transformer_lib.training.checkpoints import (
    BEST,
    LAST,
    Checkpoint,
    CheckpointError,
    average_checkpoints,
    holds_run,
    load_checkpoint,
    load_model,
    read_header,
    save_checkpoint,
    snapshots,
)
from transformer_lib.training.config import TrainingConfig
from transformer_lib.training.evaluation import LanguageModelScore, evaluate_language_model
from transformer_lib.training.loop import train
from transformer_lib.training.optimizer import optimizers, parameter_groups
from transformer_lib.training.parallel import available_device, is_main_process
from transformer_lib.training.records import Record, RecordError, read_record, write_record
from transformer_lib.training.schedules import SCHEDULES, learning_rate_factor
from transformer_lib.training.state import Evaluation, TrainingResult, load_optimizer

__all__ = [
    "BEST",
    "LAST",
    "SCHEDULES",
    "Checkpoint",
    "CheckpointError",
    "Evaluation",
    "LanguageModelScore",
    "Record",
    "RecordError",
    "StreamLoss",
    "TrainingConfig",
    "TrainingResult",
    "available_device",
    "average_checkpoints",
    "evaluate_language_model",
    "holds_run",
    "is_main_process",
    "language_model_loss",
    "learning_rate_factor",
    "load_checkpoint",
    "load_model",
    "load_optimizer",
    "optimizers",
    "parameter_groups",
    "read_header",
    "read_record",
    "sampled_cross_entropy",
    "sampled_language_model_loss",
    "save_checkpoint",
    "snapshots",
    "train",
    "translation_loss",
    "write_record",
]
