"""What a net on the evaluation's shapes would give, before it is built into the engine.

    train export GAMES... --out positions --empties 22 38
    python3 net.py positions deep --width 128 --kind mul --seconds 160

`positions` is what `train export` writes, `deep` what `train deep` writes. Needs PyTorch; the engine uses nothing of
this yet.
"""

import argparse
import math
import time

import numpy as np
import torch
from torch import nn

SHAPES = """
    a1 b1 c1 a2 b2 c2 a3 b3 c3
    a1 b1 c1 d1 e1 a2 b2 c2 d2 e2
    a1 b1 c1 d1 e1 f1 g1 h1 b2 g2
    a1 b1 c1 d1 e1 a2 a3 a4 a5 b2
    a1 b1 c1 d1 a2 b2 c2 a3 b3 a4
    a1 c1 d1 e1 f1 h1 c2 d2 e2 f2
    a1 b1 a2 b2 c2 b3 c3 d3 c4 d4
    a2 b2 c2 d2 e2 f2 g2 h2
    a3 b3 c3 d3 e3 f3 g3 h3
    a4 b4 c4 d4 e4 f4 g4 h4
    a1 b2 c3 d4 e5 f6 g7 h8
    b1 c2 d3 e4 f5 g6 h7
    c1 d2 e3 f4 g5 h6
    d1 e2 f3 g4 h5
    e1 f2 g3 h4
"""
PHASES = 30
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def turned(symmetry, square):
    x, y = square % 8, square // 8
    x = 7 - x if symmetry & 1 else x
    y = 7 - y if symmetry & 2 else y
    return x * 8 + y if symmetry & 4 else x + 8 * y


class Layout:
    """The shapes laid out as in crates/engine/src/eval/patterns.rs: fillings a symmetry exchanges share a row."""

    def __init__(self):
        columns, offsets, shared = [], [], []
        self.rows = fillings = 0
        for line in SHAPES.strip().splitlines():
            shape = [ord(name[0]) - ord("a") + 8 * (int(name[1]) - 1) for name in line.split()]
            seen, itself = [], []
            for symmetry in range(8):
                image = [turned(symmetry, square) for square in shape]
                if set(image) == set(shape):
                    itself.append([shape.index(square) for square in image])
                if set(image) not in seen:
                    seen.append(set(image))
                    column = np.zeros(64, np.float32)
                    column[image] = [3**cell for cell in range(len(shape))]
                    columns.append(column)
                    offsets.append(fillings)
            digits = [np.arange(3 ** len(shape)) // 3**cell % 3 for cell in range(len(shape))]
            least = np.minimum.reduce([sum(d * 3**to for d, to in zip(digits, order)) for order in itself])
            different, number = np.unique(least, return_inverse=True)
            shared.append(number + self.rows)
            self.rows += len(different)
            fillings += 3 ** len(shape)
        self.adds = torch.tensor(np.stack(columns, 1), device=DEVICE)
        self.offsets = torch.tensor(offsets, device=DEVICE)
        self.shared = torch.tensor(np.concatenate(shared), device=DEVICE)
        self.squares = torch.arange(64, device=DEVICE)

    def look(self, mover, other):
        """The rows of each position, and its empties."""
        discs = lambda word: (word[:, None] >> self.squares & 1).float()
        digits = discs(mover) + 2 * discs(other)
        fillings = (digits @ self.adds).round().long()
        return self.shared[fillings + self.offsets], (digits == 0).sum(1)


class Net(nn.Module):
    """A sum of rows through a small layer for each phase, beside the sum of weights the engine has."""

    def __init__(self, rows, width, kind, hidden):
        super().__init__()
        self.rows, self.kind, self.hidden = rows, kind, hidden
        self.vectors = nn.EmbeddingBag(rows, width, mode="sum")
        nn.init.normal_(self.vectors.weight, 0, 0.02)
        self.weights = nn.EmbeddingBag(rows * PHASES, 1, mode="sum")
        nn.init.zeros_(self.weights.weight)
        inputs = width // 2 if kind == "mul" else width
        self.start = nn.Parameter(torch.full((width,), 0.3))
        self.first = nn.Parameter(torch.randn(inputs, PHASES, hidden) / math.sqrt(inputs))
        self.bias = nn.Parameter(torch.zeros(PHASES, hidden))
        self.second = nn.Parameter(torch.randn(PHASES, hidden * 2) * 0.1)

    def forward(self, rows, empties):
        phase = (60 - empties).clamp(min=0) // 2
        sums = (self.vectors(rows) + self.start).clamp(0, 1)
        if self.kind == "mul":
            left, right = sums.chunk(2, 1)
            sums = left * right
        elif self.kind == "sq":
            sums = sums**2
        layer = (sums @ self.first.flatten(1)).view(-1, PHASES, self.hidden)
        layer = (layer[torch.arange(len(phase), device=phase.device), phase] + self.bias[phase]).clamp(0, 1)
        value = (torch.cat([layer, layer**2], 1) * self.second[phase]).sum(1) * 32
        return value + self.weights(rows + phase[:, None] * self.rows)[:, 0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions")
    parser.add_argument("deep")
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--hidden", type=int, default=16)
    parser.add_argument("--kind", choices=["clip", "sq", "mul"], default="mul")
    parser.add_argument("--seconds", type=float, default=160)
    parser.add_argument("--batch", type=int, default=32768 if DEVICE == "cuda" else 512)
    args = parser.parse_args()
    torch.manual_seed(1)
    layout = Layout()

    data = np.fromfile(args.positions, dtype=[("mover", "<i8"), ("other", "<i8"), ("label", "<f4")])
    mover, other, label = (torch.from_numpy(data[name].copy()).to(DEVICE) for name in ("mover", "other", "label"))
    lines = [line.split() for line in open(args.deep)]
    word = lambda text: int.from_bytes(bytes.fromhex(text), "big", signed=True)
    deep = [torch.tensor([read(line[at]) for line in lines], device=DEVICE) for at, read in enumerate((word, word, float))]
    print(f"{len(mover)} positions, {len(lines)} to test on, {layout.rows} rows", flush=True)

    net = Net(layout.rows, args.width, args.kind, args.hidden).to(DEVICE)
    rest = [net.start, net.first, net.bias, net.second]
    rates = [(net.vectors.parameters(), 2e-3), (net.weights.parameters(), 4e-2), (rest, 2e-3)]
    optimiser = torch.optim.Adam([{"params": list(params), "lr": rate} for params, rate in rates])

    def errors():
        with torch.no_grad():
            rows, empties = layout.look(*deep[:2])
            off = (net(rows, empties) - deep[2]).abs()
            groups = [(low, low + 2) for low in range(60, 0, -3)]
            inside = [(low, high, (empties >= low) & (empties <= high)) for low, high in groups]
            return "  ".join(f"{low}-{high}: {off[chosen].mean():.2f}" for low, high, chosen in inside if chosen.any())

    begun = told = time.time()
    steps = 0
    while (part := (time.time() - begun) / args.seconds) < 1:
        slow = min(1, (steps + 1) / 100) * (0.49 * (1 + math.cos(math.pi * part)) + 0.02)
        for group, (_, rate) in zip(optimiser.param_groups, rates):
            group["lr"] = rate * slow
        chosen = torch.randint(0, len(mover), (args.batch,), device=DEVICE)
        rows, empties = layout.look(mover[chosen], other[chosen])
        loss = ((net(rows, empties) - label[chosen]) ** 2).mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        steps += 1
        if time.time() - told > 12:
            told = time.time()
            print(f"{steps * args.batch / len(mover):.1f} times all, loss {loss:.2f}, error {errors()}", flush=True)
    print(f"{steps * args.batch / len(mover):.1f} times all, loss {loss:.2f}, error {errors()}")


if __name__ == "__main__":
    main()
