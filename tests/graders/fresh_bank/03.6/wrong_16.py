# question 03.6
# wrong: the returned queues lie in room that the next call of the same size writes over
# differs: read two different pieces from the same queues: the queues returned first are those of the second
_rooms = {}


def read(x, filters, gates, mixes, queues=None):
    batch, time, d = x.shape
    k = filters.shape[1]
    line, total, after = x, torch.zeros_like(x), []
    for layer in range(len(filters)):
        dilation = 2**layer
        reach = (k - 1) * dilation
        if queues is None:
            queue = x.new_zeros(batch, reach, d)
        else:
            queue = queues[layer]
        seen = torch.cat([queue, line], dim=1)
        room = _rooms.get(layer)
        if room is None or room.shape != seen.shape or room.dtype != seen.dtype:
            room = _rooms[layer] = torch.empty_like(seen)
        seen = seen.clone()
        room.copy_(seen)
        after.append(room[:, time:])
        if time > 0:
            content = causal_conv(seen, filters[layer], dilation)[:, reach:]
            gate = causal_conv(seen, gates[layer], dilation)[:, reach:]
            s = (content.tanh() * gate.sigmoid()) @ mixes[layer].T
            total = total + s
            line = line + s
    return total, after
