"""A set of pairs, each row put back after its turn."""


def who_sees_whom(f, x):
    work, pairs = x.clone(), set()
    before = f(work.clone()).clone()
    for s in range(len(x)):
        for c in range(x.shape[1]):
            for factor in (1, -1):
                work[s, c] = x[s, c] + 6 * factor
                distance = (f(work.clone()) - before).norm(dim=1)
                pairs |= {(t, s) for t, moved in enumerate(distance.tolist()) if moved > 2e-5}
                work[s, c] = x[s, c]
    return [[(t, s) in pairs for s in range(len(x))] for t in range(len(x))]
