"""One place after the other, with a list of inputs for each layer."""


def read(x, filters, gates, mixes, queues=None):
    layers, k, d, _ = filters.shape
    if queues is None:
        queues = [x.new_zeros(x.size(0), (k - 1) * 2**n, d) for n in range(layers)]
    latest, outputs = [list(queue.unbind(1)) for queue in queues], []
    for u in x.unbind(1):
        total = torch.zeros_like(u)
        for n, inputs in enumerate(latest):
            inputs.append(u)
            taps = torch.stack(inputs[:: -(2**n)])
            content = torch.einsum("kbi,koi->bo", taps, filters[n])
            gate = torch.einsum("kbi,koi->bo", taps, gates[n])
            inputs.pop(0)
            s = (content.tanh() * gate.sigmoid()) @ mixes[n].T
            u, total = u + s, total + s
        outputs.append(total)
    after = [torch.stack(inputs, 1) if inputs else queue for inputs, queue in zip(latest, queues)]
    return torch.stack(outputs, 1) if outputs else x.clone(), after
