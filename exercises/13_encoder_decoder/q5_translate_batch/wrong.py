"""Named mistakes in question 13.5."""


# %% all_at_once: a loop that ends only if the decoder proposes the end in all rows at once
# loses: calls
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        best = next_scores(prefix).argmax(1)
        is_done = bool((best == end).all())
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
        if is_done:
            break
    rows = prefix[:, 1:].tolist()
    return [row[: row.index(end)] if end in row else row for row in rows]


# %% asked_for_nothing: one call where no word is asked for
# loses: nothing
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for step in range(max(most, 1)):
        if ended.all():
            break
        scores = next_scores(prefix)
        best = (scores == scores.amax(1, keepdim=True)).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1 : most + 1].tolist()
    return [row[: row.index(end)] if end in row else row for row in rows]


# %% end_kept: translations with their end token
# loses: ends
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        if ended.all():
            break
        scores = next_scores(prefix)
        best = (scores == scores.amax(1, keepdim=True)).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1:].tolist()
    return [row[: row.index(end) + 1] if end in row else row for row in rows]


# %% end_wins: the end token among equal scores
# loses: ties
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    done = torch.zeros(n, dtype=torch.bool)
    while prefix.shape[1] <= most and not done.all():
        s = next_scores(prefix)
        done |= s[:, end] >= s.max(1).values
        w = torch.where(done, end, s.argmax(1))
        prefix = torch.cat([prefix, w[:, None]], 1)
    rows = prefix[:, 1:].tolist()
    return [r[: r.index(end)] if end in r else r for r in rows]


# %% ended_left_out: prefixes of the rows that go on alone
# loses: ends, calls
def translate(next_scores, n, start, end, most):
    rows = [[] for _ in range(n)]
    alive = list(range(n))
    for _ in range(most):
        if not alive:
            break
        scores = next_scores(torch.tensor([[start] + rows[i] for i in alive]))
        best = (
            (scores == scores.amax(1, keepdim=True)).int().argmax(1).tolist()
        )
        for i, word in zip(alive, best):
            if word != end:
                rows[i].append(word)
        alive = [i for i, word in zip(alive, best) if word != end]
    return rows


# %% fed_start: rows that are fed the start token after their end
# loses: calls
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    words = []
    for _ in range(most):
        if ended.all():
            break
        scores = next_scores(prefix)
        best = (scores == scores.amax(1, keepdim=True)).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        words.append(best)
        fed = torch.where(ended, start, best)
        prefix = torch.cat([prefix, fed[:, None]], dim=1)
    rows = torch.stack(words, dim=1).tolist() if words else [[]] * n
    return [row[: row.index(end)] if end in row else row for row in rows]


# %% largest_token: the largest token among equal scores
# loses: ties
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        if ended.all():
            break
        scores = next_scores(prefix)
        best = scores.shape[1] - 1 - (scores == scores.amax(1, keepdim=True)).flip(1).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1:].tolist()
    return [row[: row.index(end)] if end in row else row for row in rows]


# %% last_word: prefixes that hold the last word alone
# loses: words, ends, calls, ties, nothing
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        if ended.all():
            break
        scores = next_scores(prefix[:, -1:])
        best = (scores == scores.amax(1, keepdim=True)).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1:].tolist()
    return [row[: row.index(end)] if end in row else row for row in rows]


# %% least: the words with the lowest scores
# loses: words, ends, calls, ties, nothing
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        if ended.all():
            break
        scores = next_scores(prefix)
        best = (scores == scores.amin(1, keepdim=True)).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1:].tolist()
    return [row[: row.index(end)] if end in row else row for row in rows]


# %% most_32: room for 32 words
# loses: words, calls, nothing
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 33), end)
    prefix[:, 0] = start
    done = torch.zeros(n, dtype=torch.bool)
    for t in range(min(most, 32)):
        if done.all():
            break
        w = torch.where(done, end, next_scores(prefix[:, : t + 1]).argmax(1))
        done |= w == end
        prefix[:, t + 1] = w
        stop = t + 2
    if most == 0:
        return [[] for _ in range(n)]
    rows = prefix[:, 1:stop].tolist()
    return [r[: r.index(end)] if end in r else r for r in rows]


# %% no_rows: no list for any row where no word is asked for
# loses: nothing
def translate(next_scores, n, start, end, most):
    prefix, columns = torch.full((n, 1), start), []
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        if ended.all():
            break
        scores = next_scores(prefix)
        best = (scores == scores.amax(1, keepdim=True)).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        columns.append(best.tolist())
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = [list(row) for row in zip(*columns)]
    return [row[: row.index(end)] if end in row else row for row in rows]


# %% no_stop: a loop that goes on after all rows have ended
# loses: calls
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        if False:
            break
        scores = next_scores(prefix)
        best = (scores == scores.amax(1, keepdim=True)).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1:].tolist()
    return [row[: row.index(end)] if end in row else row for row in rows]


# %% one_call_more: a loop that asks once more after all rows have ended
# loses: calls
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        scores = next_scores(prefix)
        if ended.all():
            break
        best = (scores == scores.amax(1, keepdim=True)).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1:].tolist()
    return [row[: row.index(end)] if end in row else row for row in rows]


# %% one_list: one list for all rows
# loses: words, ends, calls, ties, nothing
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = [False] * n
    rows = [[]] * n
    for _ in range(most):
        if all(ended):
            break
        scores = next_scores(prefix)
        best = (
            (scores == scores.amax(1, keepdim=True)).int().argmax(1).tolist()
        )
        for i in range(n):
            best[i] = end if ended[i] else best[i]
            ended[i] = ended[i] or best[i] == end
            if not ended[i]:
                rows[i].append(best[i])
        prefix = torch.cat([prefix, torch.tensor(best)[:, None]], dim=1)
    return rows


# %% one_word_more: one word more than allowed
# loses: words, ends, calls, ties, nothing
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most + 1):
        if ended.all():
            break
        scores = next_scores(prefix)
        best = (scores == scores.amax(1, keepdim=True)).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1:].tolist()
    return [row[: row.index(end)] if end in row else row for row in rows]


# %% own_words_after_end: rows that are fed their own words after their end
# loses: calls
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        if ended.all():
            break
        scores = next_scores(prefix)
        best = (scores == scores.amax(1, keepdim=True)).int().argmax(1)
        best = best + 0
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1:].tolist()
    return [row[: row.index(end)] if end in row else row for row in rows]


# %% padded: rows filled up with the end token
# loses: ends
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        if ended.all():
            break
        scores = next_scores(prefix)
        best = (scores == scores.amax(1, keepdim=True)).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1:].tolist()
    return rows


# %% row_by_row: rows that are translated one after the other, each with calls of its own
# loses: calls
def translate(next_scores, n, start, end, most):
    rows = []
    for i in range(n):
        prefix = [start]
        while len(prefix) <= most:
            scores = next_scores(torch.tensor([prefix] * n))[i]
            best = int((scores == scores.max()).int().argmax())
            if best == end:
                break
            prefix.append(best)
        rows.append(prefix[1:])
    return rows


# %% start_filtered: translations from which every start token is removed
# loses: words, ends, calls, ties, nothing
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        if ended.all():
            break
        scores = next_scores(prefix)
        best = (scores == scores.amax(1, keepdim=True)).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1:].tolist()
    rows = [row[: row.index(end)] if end in row else row for row in rows]
    return [[word for word in row if word != start] for row in rows]


# %% start_is_end: rows that are over from the start if the start token is the end token
# loses: ends
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = prefix[:, 0] == end
    for _ in range(most):
        if ended.all():
            break
        scores = next_scores(prefix)
        best = (scores == scores.amax(1, keepdim=True)).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1:].tolist()
    return [row[: row.index(end)] if end in row else row for row in rows]


# %% start_kept: translations with the start token
# loses: words, ends, calls, ties, nothing
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        if ended.all():
            break
        scores = next_scores(prefix)
        best = (scores == scores.amax(1, keepdim=True)).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix.tolist()
    return [row[: row.index(end)] if end in row else row for row in rows]


# %% starts_with_end: prefixes that begin with the end token
# loses: words, ends, calls, ties, nothing
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), end)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        if ended.all():
            break
        scores = next_scores(prefix)
        best = (scores == scores.amax(1, keepdim=True)).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1:].tolist()
    return [row[: row.index(end)] if end in row else row for row in rows]


# %% stops_with_first: a loop that stops as soon as one row has ended
# loses: ends, calls
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        if ended.any():
            break
        scores = next_scores(prefix)
        best = (scores == scores.amax(1, keepdim=True)).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1:].tolist()
    return [row[: row.index(end)] if end in row else row for row in rows]


# %% writes_into_scores: the decoder's scores overwritten
# loses: ends
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        if ended.all():
            break
        scores = next_scores(prefix)
        scores[ended] = -float("inf")
        scores[ended, end] = 0.0
        best = scores.argmax(1)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1:].tolist()
    return [row[: row.index(end)] if end in row else row for row in rows]


# %% nearly_equal: scores that are nearly equal taken for equal
# loses: ties
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        if ended.all():
            break
        scores = next_scores(prefix)
        best = (scores >= scores.amax(1, keepdim=True) - 1e-6).int().argmax(1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1:].tolist()
    return [row[: row.index(end)] if end in row else row for row in rows]


# %% squeezed: a vocabulary of one word squeezed away, so that rows are chosen
# loses: ends
def translate(next_scores, n, start, end, most):
    prefix = torch.full((n, 1), start)
    ended = torch.zeros(n, dtype=torch.bool)
    for _ in range(most):
        if ended.all():
            break
        scores = next_scores(prefix).squeeze()
        best = (scores == scores.amax(-1, keepdim=True)).int().argmax(-1)
        best = torch.where(ended, end, best)
        ended = ended | (best == end)
        prefix = torch.cat([prefix, best[:, None]], dim=1)
    rows = prefix[:, 1:].tolist()
    return [row[: row.index(end)] if end in row else row for row in rows]
