"""Fits the net that corrects the sum of weights, and the sum with it, to positions `train export` wrote.

    train export GAMES... --out positions
    python3 net.py positions --sum weights --deep deep --out both
    train join both --out packed

`weights` is what `train fit` wrote: the net learns what the sum of weights leaves over, and the weights change with it.
With `--start` everything, the net too, begins as a file of weights has it.
`deep` is what `train deep` wrote, to tell the error on. Needs PyTorch, and a GPU with Triton to be of any use (the rest of a machine does for
trying it out on a few positions).
"""

import argparse
import json
import math
import pathlib
import time
import zlib

import numpy as np
import torch
from torch import nn

# What the engine looks at and how large its net is; `train export --layout train/layout.json` writes it.
LAYOUT = json.loads(pathlib.Path(__file__).with_name("layout.json").read_text())
PHASES, EMPTIES = LAYOUT["phases"], LAYOUT["empties"]
WIDTH, KINDS = LAYOUT["width"], LAYOUT["kinds"]
BLOCK = WIDTH // 8

# What the engine can hold: rows in 1/512 from -63 to 63, the first layer in 1/1024 to 2, the second to 64 discs.
ROW, FIRST, DISC = 512, 1024, 64
WORTH = 16  # discs that one of the second layer stands for

CLOSE = 12  # discs between the players where a game is still open

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

MAPS = np.array(LAYOUT["symmetries"])  # for each symmetry and square, where it leads
NUMBER = {tuple(squares): symmetry for symmetry, squares in enumerate(MAPS)}
AFTER = np.array([[NUMBER[tuple(MAPS[then][MAPS[first]])] for first in range(8)] for then in range(8)])
INVERSE = AFTER.argmin(1)

# Where in a row each number of the sum comes from, for a placement that a symmetry leads to: blocks are exchanged.
FROM = np.array([[AFTER[INVERSE[s]][n // BLOCK] * BLOCK + n % BLOCK for n in range(WIDTH)] for s in range(8)])


class Layout:
    """The shapes laid out: fillings a symmetry exchanges share a row, each seen from its own side."""

    def __init__(self):
        columns, offsets, leads, shared, back = [], [], [], [], []
        self.rows = fillings = 0
        self.own = {}  # rows of fillings that are their own mirror images, by the set of symmetries
        for shape in LAYOUT["shapes"]:
            seen, itself = [], []
            for symmetry in range(8):
                image = MAPS[symmetry][shape].tolist()
                if set(image) == set(shape):
                    itself.append((symmetry, [shape.index(square) for square in image]))
                if set(image) not in seen:
                    seen.append(set(image))
                    column = np.zeros(64, np.float32)
                    column[image] = [3**cell for cell in range(len(shape))]
                    columns.append(column)
                    offsets.append(fillings)
                    leads.append(symmetry)
            every = np.arange(3 ** len(shape))
            digits = [every // 3**cell % 3 for cell in range(len(shape))]
            views = np.stack([sum(d * 3**to for d, to in zip(digits, order)) for _, order in itself])
            different, number = np.unique(views.min(0), return_inverse=True)
            symmetries = np.array([symmetry for symmetry, _ in itself])
            back.append(INVERSE[symmetries[views.argmin(0)]])
            same = ((views[:, different] == different) << symmetries[:, None]).sum(0)
            for group in np.unique(same[same != 1]):
                self.own.setdefault(int(group), []).append((same == group).nonzero()[0] + self.rows)
            shared.append(number + self.rows)
            self.rows += len(different)
            fillings += len(every)
        at = lambda values, kind=torch.long: torch.tensor(np.concatenate(values), device=DEVICE, dtype=kind)
        self.own = {group: at(rows) for group, rows in self.own.items()}
        self.shared, self.back = at(shared), at(back)
        self.adds = torch.tensor(np.stack(columns, 1), device=DEVICE)
        self.offsets, self.leads = torch.tensor(offsets, device=DEVICE), torch.tensor(leads, device=DEVICE)
        self.after = torch.tensor(AFTER, device=DEVICE)
        self.squares = torch.arange(64, device=DEVICE)

    def look(self, mover, other):
        """The row of each placement and the symmetry it is seen by (row * 8 + symmetry), and the empties."""
        discs = lambda word: (word[:, None] >> self.squares & 1).float()
        digits = discs(mover) + 2 * discs(other)
        fillings = (digits @ self.adds).round().long() + self.offsets
        by = self.after[self.leads[None, :], self.back[fillings]]
        return self.shared[fillings] * 8 + by, (digits == 0).sum(1)


class Data:
    """Positions as rows of their phase's table, phases and what the sum of weights leaves over."""

    def __init__(self, layout, tables, weights, mover, other, label):
        count = len(mover)
        self.rows = torch.empty((count, len(layout.offsets)), dtype=torch.int32, device=DEVICE)
        self.phase = torch.empty(count, dtype=torch.long, device=DEVICE)
        self.empties = torch.empty(count, dtype=torch.long, device=DEVICE)
        self.left, self.label = torch.empty(count, device=DEVICE), label.to(DEVICE)
        for at in range(0, count, 1 << 18):
            part = slice(at, at + (1 << 18))
            rows, empties = layout.look(mover[part].to(DEVICE), other[part].to(DEVICE))
            phase = ((60 - empties).clamp(min=0) // 2).clamp(max=PHASES - 1)
            self.rows[part] = rows + tables[phase][:, None] * layout.rows * 8
            self.phase[part], self.empties[part] = phase, empties
            self.left[part] = label[part].to(DEVICE) - weights[rows // 8 + phase[:, None] * layout.rows].sum(1)


class Packed:
    """A file of weights: the sum's in discs, what a move is worth by the empties, and the bytes of the net."""

    def __init__(self, path, rows):
        data = zlib.decompress(open(path, "rb").read()[12:], wbits=-15)
        size = rows * PHASES * 2
        low, high = np.frombuffer(data[:size], np.uint8).reshape(2, -1).astype(np.uint16)
        self.weights = torch.tensor((low | high << 8).astype(np.int16).astype(np.float32) / DISC, device=DEVICE)
        tempo = np.frombuffer(data[size : size + 2 * EMPTIES], "<i2").astype(np.float32) / DISC
        self.tempo, self.net = torch.tensor(tempo, device=DEVICE), data[size + 2 * EMPTIES :]

    def tables(self):
        """Which table of rows each phase uses."""
        return torch.tensor(list(self.net[:PHASES]), device=DEVICE)


def positions(paths):
    kinds = [("mover", "<i8"), ("other", "<i8"), ("label", "<f4")]
    data = np.concatenate([np.fromfile(path, dtype=kinds) for path in paths])
    return [torch.from_numpy(data[name].copy()) for name, _ in kinds]


def deep_positions(path):
    lines = [line.split() for line in open(path)]
    word = lambda text: int.from_bytes(bytes.fromhex(text), "big", signed=True)
    return [torch.tensor([read(line[at]) for line in lines]) for at, read in enumerate((word, word, float))]


if DEVICE == "cuda":
    import triton
    import triton.language as tl

    @triton.jit
    def add_up(table, rows, sources, out, COUNT: tl.constexpr, WIDTH: tl.constexpr):
        position = tl.program_id(0).to(tl.int64)
        lanes = tl.arange(0, WIDTH)
        total = tl.zeros([WIDTH], dtype=tl.float32)
        for at in range(COUNT):
            row = tl.load(rows + position * COUNT + at)
            source = tl.load(sources + (row % 8) * WIDTH + lanes)
            total += tl.load(table + (row // 8).to(tl.int64) * WIDTH + source)
        tl.store(out + position * WIDTH + lanes, total)

    @triton.jit
    def hand_back(gradient, rows, sources, out, COUNT: tl.constexpr, WIDTH: tl.constexpr):
        position = tl.program_id(0).to(tl.int64)
        lanes = tl.arange(0, WIDTH)
        mine = tl.load(gradient + position * WIDTH + lanes)
        for at in range(COUNT):
            row = tl.load(rows + position * COUNT + at)
            source = tl.load(sources + (row % 8) * WIDTH + lanes)
            tl.atomic_add(out + (row // 8).to(tl.int64) * WIDTH + source, mine, sem="relaxed")


class Summed(torch.autograd.Function):
    """The sum of a position's rows, each with its blocks exchanged."""

    @staticmethod
    def forward(context, table, rows, sources):
        context.save_for_backward(rows, sources)
        context.shape = table.shape
        if DEVICE == "cuda":
            out = torch.empty((len(rows), WIDTH), device=DEVICE)
            add_up[(len(rows),)](table, rows, sources, out, rows.shape[1], WIDTH, num_warps=1)
            return out
        rows = rows.long()
        return table[rows // 8].gather(2, sources[rows % 8].long()).sum(1)

    @staticmethod
    def backward(context, gradient):
        rows, sources = context.saved_tensors
        out = torch.zeros(context.shape, device=DEVICE)
        if DEVICE == "cuda":
            hand_back[(len(rows),)](gradient.contiguous(), rows, sources, out, rows.shape[1], WIDTH, num_warps=1)
        else:
            rows = rows.long()
            spread = gradient[:, None, :].expand(*rows.shape, WIDTH).contiguous()
            spread = torch.zeros_like(spread).scatter_(2, sources[rows % 8].long(), spread)
            out.index_add_(0, (rows // 8).flatten(), spread.view(-1, WIDTH))
        return out, None, None


class Weighed(torch.autograd.Function):
    """The sum of the weights at a position's places."""

    @staticmethod
    def forward(context, weights, places):
        context.save_for_backward(places)
        context.count = len(weights)
        return weights[places].sum(1)

    @staticmethod
    def backward(context, gradient):
        (places,) = context.saved_tensors
        out = torch.zeros(context.count, device=gradient.device)
        return out.index_add_(0, places.flatten(), gradient[:, None].expand(places.shape).flatten()), None


class Net(nn.Module):
    """What crates/engine/src/eval/net.rs describes."""

    def __init__(self, layout, tables, seen):
        super().__init__()
        self.tables = tables
        # rows of fillings that are their own mirror images, in all tables
        begin = torch.arange(len(seen) // layout.rows, device=DEVICE)[:, None] * layout.rows
        self.own = {group: (rows + begin).flatten() for group, rows in layout.own.items()}
        # what was hardly ever seen begins with nothing to say
        self.table = nn.Parameter(torch.randn(len(seen), WIDTH) * 0.02 * (seen / 100).clamp(max=1).cpu()[:, None])
        # what it is worth to move, by the number of empties
        self.tempo = nn.Parameter(torch.zeros(EMPTIES))
        # by how much the sum's weights change
        self.change = nn.Parameter(torch.zeros(PHASES * layout.rows))
        self.count = layout.rows
        self.start = nn.Parameter(torch.full((PHASES, BLOCK), 0.3))
        self.first = nn.Parameter(torch.randn(PHASES, KINDS, 8, BLOCK // 2) / math.sqrt(WIDTH // 2))
        self.bias = nn.Parameter(torch.zeros(PHASES, KINDS))
        self.second = nn.Parameter(torch.randn(PHASES, 2, KINDS) * 0.1)
        self.register_buffer("sources", torch.tensor(FROM, dtype=torch.int32))
        self.register_buffer("sides", torch.tensor(AFTER[INVERSE]))  # by side and block, the block it is seen as

    def start_from(self, packed):
        """Takes over the net of a file of weights."""
        at = PHASES

        def whole(like, scale, kind):
            nonlocal at
            size = like.numel() * np.dtype(kind).itemsize
            values, at = np.frombuffer(packed.net[at : at + size], kind), at + size
            return torch.tensor(values.astype(np.float32) / scale, device=DEVICE).view(like.shape)

        with torch.no_grad():
            self.tempo.copy_(packed.tempo)
            self.table.copy_(whole(self.table, ROW, "i1"))
            for phase in range(PHASES):
                self.start[phase] = whole(self.start[phase], ROW, "<i2")
                self.first[phase] = whole(self.first[phase], FIRST, "<i2")
                self.bias[phase] = whole(self.bias[phase], 1 << 24, "<i4")
                self.second[phase] = whole(self.second[phase], WORTH * DISC, "<i2")
        assert at == len(packed.net), "this net has another shape"

    def forward(self, rows, phase, empties):
        """What the weights' changes and the move give, and what the net does."""
        places = rows // 8 % self.count + (phase * self.count)[:, None]
        changed = Weighed.apply(self.change, places) + self.tempo[empties]
        sums = Summed.apply(self.table, rows, self.sources).view(-1, 8, BLOCK)
        one, other = (sums + self.start[phase][:, None]).clamp(0, 1).chunk(2, 2)
        inputs = (one * other).flatten(1)
        first = self.first[:, :, self.sides].permute(3, 4, 0, 1, 2).reshape(inputs.shape[1], -1)
        layer = (inputs @ first).view(-1, PHASES, KINDS, 8)[torch.arange(len(phase), device=phase.device), phase]
        layer = (layer + self.bias[phase][:, :, None]).clamp(0, 1)
        worth = self.second[phase]
        return changed, ((layer.sum(2) * worth[:, 0]) + ((layer**2).sum(2) * worth[:, 1])).sum(1) * WORTH

    def hold(self):
        """Keeps the parameters where the engine can hold them, and mirror images of themselves alike on both sides."""
        with torch.no_grad():
            for group, rows in self.own.items():
                part = self.table[rows]
                members = [self.sources[s].long() for s in range(8) if group >> s & 1]
                self.table[rows] = sum(part[:, member] for member in members) / len(members)
            self.table.clamp_(-63 / ROW, 63 / ROW)
            self.first.clamp_(-2047 / FIRST, 2047 / FIRST)
            self.second.clamp_(-4095 / DISC / WORTH, 4095 / DISC / WORTH)


def errors(net, data):
    """The mean squared errors of close positions, of all and of the sum alone, and the mean absolute one by empties."""
    with torch.no_grad():
        parts = [slice(at, at + (1 << 16)) for at in range(0, len(data.rows), 1 << 16)]
        both = [torch.stack(net(data.rows[part], data.phase[part], data.empties[part])) for part in parts]
        changed, said = torch.cat(both, 1)
        alone, off = changed - data.left, changed + said - data.left
        groups = [(low, (data.empties >= low) & (data.empties <= low + 2)) for low in range(60, 0, -3)]
        told = "  ".join(f"{low}-{low + 2}: {off[inside].abs().mean():.2f}" for low, inside in groups if inside.any())
        close = data.label.abs() <= CLOSE
        return (off[close] ** 2).mean(), (alone[close] ** 2).mean(), told


def fit(layout, tables, data, test, deep, args):
    count = layout.rows * (tables.max().item() + 1)
    seen = torch.zeros(count, device=DEVICE)
    for at in range(0, len(data.rows), 1 << 20):
        seen += torch.bincount((data.rows[at : at + (1 << 20)] // 8).flatten(), minlength=count)
    net = Net(layout, tables, seen).to(DEVICE)
    if args.start:
        net.start_from(Packed(args.start, layout.rows))
    with torch.no_grad():  # a phase nobody has seen has nothing to say
        net.second[torch.bincount(data.phase, minlength=PHASES) == 0] = 0
    small = [net.start, net.first, net.bias, net.second, net.tempo]
    groups = [
        {"params": [net.table], "weight_decay": args.decay, "share": 1},
        {"params": [net.change], "weight_decay": args.back, "share": args.change},
        {"params": small, "weight_decay": 0, "share": 1},
    ]
    optimiser = torch.optim.AdamW(groups, lr=args.rate, fused=DEVICE == "cuda")
    steps = int(args.times * len(data.rows) / args.batch)
    order, at = torch.randperm(len(data.rows), device=DEVICE), 0
    begun = told = time.time()
    step, done = 0, 0.0
    while done < 1:
        step += 1
        # so far: by the clock, or by what was seen
        done = min(1, (time.time() - begun) / args.seconds if args.seconds else step / steps)
        for group in optimiser.param_groups:
            group["lr"] = group["share"] * args.rate * min(1, step / 200) * (0.5 + 0.5 * math.cos(math.pi * done))
        if at + args.batch > len(order):
            order, at = torch.randperm(len(data.rows), device=DEVICE), 0
        chosen, at = order[at : at + args.batch], at + args.batch
        counts = 1 / (1 + (data.label[chosen] / args.focus) ** 2)
        changed, said = net(data.rows[chosen], data.phase[chosen], data.empties[chosen])
        alone, off = changed - data.left[chosen], changed + said - data.left[chosen]
        loss = ((off**2 + args.alone * alone**2) * counts).sum() / counts.sum()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        net.hold()
        if time.time() - told > 20 or done >= 1:
            told = time.time()
            seen_now = step * args.batch / len(data.rows)
            (squared, alone, _), (_, _, by_empties) = errors(net, test), errors(net, deep)
            print(
                f"{seen_now:.1f} times all, {told - begun:.0f} s, squared {squared:.3f}, the sum alone {alone:.3f}, "
                f"deep {by_empties}",
                flush=True,
            )
    return net


def write(net, weights, path):
    """The weights and the net in whole numbers, as crates/engine/src/eval reads them."""

    def whole(values, scale, kind):
        limits = np.iinfo(kind)
        return (values * scale).round().clamp(limits.min, limits.max).cpu().numpy().astype(kind).tobytes()

    with torch.no_grad(), open(path, "wb") as out:
        out.write(whole(weights + net.change, DISC, np.int16))
        out.write(whole(net.tempo, DISC, np.int16))
        out.write(bytes(net.tables.tolist()))
        out.write(whole(net.table, ROW, np.int8))
        for phase in range(PHASES):
            out.write(whole(net.start[phase], ROW, np.int16))
            out.write(whole(net.first[phase], FIRST, np.int16))
            out.write(whole(net.bias[phase], 1 << 24, np.int32))
            out.write(whole(net.second[phase], WORTH * DISC, np.int16))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", nargs="+")
    parser.add_argument("--sum", required=True, help="the sum's weights")
    parser.add_argument("--deep", required=True, help="positions searched deep")
    parser.add_argument("--out", required=True, help="where to write the net")
    parser.add_argument("--begins", type=int, nargs="*", default=[15], help="phases where a new table of rows begins")
    parser.add_argument("--start", help="a file of weights whose net to begin with")
    parser.add_argument("--times", type=float, default=5, help="how often each position is seen")
    parser.add_argument("--seconds", type=float, help="how long to fit, in place of --times")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--decay", type=float, default=5)
    parser.add_argument("--change", type=float, default=4, help="the rate for the sum's weights, as a share of it")
    parser.add_argument("--back", type=float, default=1, help="how fast the sum's weights go back")
    parser.add_argument("--alone", type=float, default=0.1, help="how much the error of the sum alone counts")
    parser.add_argument("--focus", type=float, default=16, help="discs by which a label is off zero to count half")
    parser.add_argument("--batch", type=int, default=32768)
    args = parser.parse_args()
    torch.manual_seed(1)
    layout = Layout()
    tables = torch.tensor([sum(phase >= begin for begin in args.begins) for phase in range(PHASES)], device=DEVICE)
    weights = Packed(args.sum, layout.rows).weights
    deep = Data(layout, tables, weights, *deep_positions(args.deep))
    mover, other, label = positions(args.positions)
    kept = len(mover) - max(1, min(500_000, len(mover) // 50))  # the last games are held out
    test = Data(layout, tables, weights, mover[kept:], other[kept:], label[kept:])
    data = Data(layout, tables, weights, mover[:kept], other[:kept], label[:kept])
    alone = (test.left[test.label.abs() <= CLOSE] ** 2).mean()
    print(f"{kept} positions; the sum alone: squared {alone:.3f}, deep {deep.left.abs().mean():.2f}", flush=True)
    write(fit(layout, tables, data, test, deep, args), weights, args.out)


if __name__ == "__main__":
    main()
