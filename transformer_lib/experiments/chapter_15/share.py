"""torchrun --nproc_per_node=2 share.py: two workers share one gradient."""

import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel

from transformer_lib.experiments.chapter_15.two_workers import batch
from transformer_lib.one_file_gpt import GPT, next_token_loss


def share(is_sharded: bool, is_weighted: bool) -> GPT:
    """The model, with the shared gradient; of a sharded one this worker holds a part."""
    torch.manual_seed(0)  # every worker builds the same model
    model = GPT(32, 16, 16, 2, 2).double()
    if is_sharded:
        for block in model.blocks:
            fully_shard(block)
        fully_shard(model)
    shared = model if is_sharded else DistributedDataParallel(model)
    rank, count = dist.get_rank(), dist.get_world_size()
    inputs, targets = (part.chunk(count)[rank] for part in batch())
    own = (targets != -100).sum()
    total = own.clone()
    dist.all_reduce(total)  # the targets of all workers
    loss = next_token_loss(shared(inputs), targets)
    if is_weighted:
        loss = loss * own * count / total
    loss.backward()  # DDP and FSDP average over workers
    return model


if __name__ == "__main__":
    dist.init_process_group("gloo")  # "nccl" on GPUs
    model = share(is_sharded=True, is_weighted=True)
    print(dist.get_rank(), model.final_norm.weight.grad)  # its part
    dist.destroy_process_group()
