# question 12.4
def measure(steps, valid, test):
    stops, at_stop, at_last, gains = [], [], [], []
    for v, t in zip(np.asarray(valid).tolist(), np.asarray(test).tolist()):
        place = min(range(len(v)), key=lambda i: (v[i], i))
        stops.append(int(steps[place]))
        at_stop.append(t[place])
        at_last.append(t[-1])
        gains.append(t[place] - min(t))
    mean = lambda values: math.fsum(values) / len(values)
    return dict(stop=stops, test=mean(at_stop), last=mean(at_last), cheat=mean(gains))


report = {"stop": [400, 300, 500, 400, 200, 600], "test": 1.523817, "last": 1.604221, "cheat": 0.008413}
