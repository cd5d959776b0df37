#!/usr/bin/env python3
"""Makes the sets S1 to S4, F1 to F3 and H1 of bench/gpu.md: shapes.py FOLDER NAME...

Each is 50 Gaussian groups, of Pareto sizes, in a few hidden dimensions, mapped linearly
into all columns, with noise, and each column scaled to [0, 1]: FOLDER/NAME.f32, rows of
little-endian float32. The same numbers come out for the same numpy; those of F, which
PyTorch makes on a card, for the same card.
"""
import sys

import numpy as np

GROUPS = 50

# Rows, columns, hidden dimensions, seed, noise beside a signal of 1.
SETS = {
    'S1': (5_000_000, 18, 8, 1, 0.03),
    'S2': (515_000, 90, 10, 2, 0.03),
    'S3': (1_000_000, 128, 10, 3, 0.03),
    'S4': (2_000_000, 28, 8, 4, 0.03),
    'H1': (1_000_000, 28, 20, 5, 0.15),
    'F1': (11_000_000, 28, 20, 11, 0.15),
    'F2': (11_620_300, 57, 10, 12, 0.05),
    'F3': (11_164_866, 128, 24, 13, 0.25),
}


def group(random, hidden):
    """A group's linear map, of random directions and lengths."""
    turn, _ = np.linalg.qr(random.standard_normal((hidden, hidden)))
    return turn * np.exp(random.normal(-0.7, 0.5, hidden))


def on_host(path, rows, columns, hidden, seed, noise):
    random = np.random.default_rng(seed)
    weight = 1 + random.pareto(1.0, GROUPS)
    member = random.choice(GROUPS, rows, p=weight / weight.sum())
    into = random.standard_normal((hidden, columns)).astype(np.float32)
    at = random.standard_normal((rows, hidden), dtype=np.float32)
    order = np.argsort(member, kind='stable')
    ends = np.searchsorted(member[order], np.arange(GROUPS + 1))
    for g in range(GROUPS):
        spread = group(random, hidden).astype(np.float32)
        middle = (1.5 * random.standard_normal(hidden)).astype(np.float32)
        those = order[ends[g]:ends[g + 1]]
        at[those] = at[those] @ spread.T + middle
    x = at @ into
    deviation = np.float32(noise * x.std(0).mean())
    for k in range(0, rows, 250_000):
        x[k:k + 250_000] += deviation * random.standard_normal(x[k:k + 250_000].shape, dtype=np.float32)
    x -= x.min(0)
    x /= x.max(0)
    x.tofile(path)


def on_card(path, rows, columns, hidden, seed, noise):
    import torch

    def upload(a):
        return torch.tensor(a, dtype=torch.float32, device='cuda')

    torch.backends.cuda.matmul.allow_tf32 = False
    random, there = np.random.default_rng(seed), torch.Generator('cuda').manual_seed(seed)
    weight = 1 + random.pareto(1.0, GROUPS)
    member = torch.multinomial(torch.tensor(weight / weight.sum(), device='cuda'), rows, replacement=True, generator=there)
    at = torch.randn(rows, hidden, device='cuda', generator=there)
    into = upload(random.standard_normal((hidden, columns)))
    for g in range(GROUPS):
        spread = upload(group(random, hidden))
        middle = upload(1.5 * random.standard_normal(hidden))
        those = (member == g).nonzero()[:, 0]
        at[those] = at[those] @ spread.T + middle
    x = at @ into
    deviation = noise * float(x[:1_000_000].std(0).mean())
    for k in range(0, rows, 1_000_000):
        part = x[k:k + 1_000_000]
        part += deviation * torch.randn(part.shape, device='cuda', generator=there)
    x -= x.min(0).values
    x /= x.max(0).values
    with open(path, 'wb') as f:
        for k in range(0, rows, 1_000_000):
            x[k:k + 1_000_000].cpu().numpy().tofile(f)


if __name__ == '__main__':
    for name in sys.argv[2:]:
        make = on_card if name.startswith('F') else on_host
        make(f'{sys.argv[1]}/{name}.f32', *SETS[name])
