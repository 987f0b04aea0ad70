"""A large net that knows better than the engine's, to teach the engine's.

    train export GAMES... --patience 0.9 --out games.pos
    train scatter GAMES... --weights weights --depth 8 --out searched.pos
    train scatter GAMES... --weights weights --out many.pos
    python3 teach.py --weights weights --games games.pos --searched 'searched*.pos' --many 'many*.pos' --out folder

A residual net of convolutions learns what the evaluation in `weights` leaves over, from positions of games and from
scattered ones that were searched. Then it labels what it learned from, each label half its own and half the old one
(exact ones stay), and as many of `many` as there is time for: the files in `folder` are what `net.py` fits. Files that
come to be while it learns are learned from, too. Needs a GPU (the rest of a machine does for trying it out).
"""

import argparse
import glob
import os
import time

import numpy as np
import torch
from net import CLOSE, DEVICE, EMPTIES, Layout, Net, Packed, PHASES
from torch import nn

CUDA = DEVICE == "cuda"
KINDS = [("mover", "<i8"), ("other", "<i8"), ("label", "<f4")]
BATCH = 16384 if CUDA else 512  # positions looked at together, where nothing is learned
SCALE = 8  # discs that one of the net's output stands for
HELD = 200_000 if CUDA else 20_000  # positions of games, the last ones, that are not learned from


class Today:
    """The evaluation of a file of weights, in discs."""

    def __init__(self, path):
        self.layout = Layout()
        packed = Packed(path, self.layout.rows)
        self.weights, tables = packed.weights, packed.tables()
        self.net = Net(self.layout, tables, torch.zeros((int(tables.max()) + 1) * self.layout.rows)).to(DEVICE)
        self.net.start_from(packed)

    @torch.no_grad()
    def value(self, mover, other):
        parts = []
        for at in range(0, len(mover), 1 << 17):
            rows, empties = self.layout.look(mover[at : at + (1 << 17)], other[at : at + (1 << 17)])
            phase = ((60 - empties).clamp(min=0) // 2).clamp(max=PHASES - 1)
            told = self.weights[rows // 8 + phase[:, None] * self.layout.rows].sum(1)
            rows = rows + self.net.tables[phase][:, None] * self.layout.rows * 8
            changed, said = self.net(rows.int(), phase, empties.clamp(max=EMPTIES - 1))
            parts.append(told + changed + said)
        return torch.cat(parts)


def signed(number):
    return number - (1 << 64) if number >> 63 else number


INNER = signed(0x7E7E7E7E7E7E7E7E)


def legal(mover, other):
    """The squares where a move turns discs."""
    found = torch.zeros_like(mover)
    for step, through in ((1, other & INNER), (8, other), (7, other & INNER), (9, other & INNER)):
        low = (1 << (64 - step)) - 1
        for shift in (lambda x: x << step, lambda x: (x >> step) & low):
            flips = through & shift(mover)
            for _ in range(5):
                flips = flips | through & shift(flips)
            found = found | shift(flips)
    return found & ~(mover | other)


def planes(mover, other, value):
    """What the net sees: discs, moves, how many squares are left and what the evaluation says."""
    squares = torch.arange(64, device=mover.device)
    boards = torch.stack([mover, other, legal(mover, other), legal(other, mover)], 1)
    boards = (boards[:, :, None] >> squares & 1).to(torch.bfloat16 if CUDA else torch.float32)
    empties = 64 - boards[:, :2].sum((1, 2), dtype=torch.float32)
    numbers = torch.stack([empties / 60, empties % 2, value / 32], 1).to(boards.dtype)
    seen = torch.cat([boards, numbers[:, :, None].expand(-1, -1, 64)], 1)
    return seen.view(-1, 7, 8, 8).contiguous(memory_format=torch.channels_last)


def turn(boards, symmetry):
    if symmetry & 1:
        boards = boards.flip(3)
    if symmetry & 2:
        boards = boards.flip(2)
    return boards.transpose(2, 3) if symmetry & 4 else boards


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.one, self.two = (nn.Conv2d(width, width, 3, padding=1, bias=False) for _ in range(2))
        self.norm_one, self.norm_two = nn.BatchNorm2d(width), nn.BatchNorm2d(width)
        nn.init.zeros_(self.norm_two.weight)

    def forward(self, x):
        return torch.relu(x + self.norm_two(self.two(torch.relu(self.norm_one(self.one(x))))))


class Teacher(nn.Module):
    def __init__(self, blocks, width):
        super().__init__()
        self.begin = nn.Sequential(nn.Conv2d(7, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU())
        self.blocks = nn.Sequential(*(Block(width) for _ in range(blocks)))
        self.end = nn.Sequential(nn.Conv2d(width, 16, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU(), nn.Flatten())
        self.last = nn.Sequential(nn.Linear(1024, 256), nn.ReLU(), nn.Linear(256, 1))
        nn.init.zeros_(self.last[2].weight)
        nn.init.zeros_(self.last[2].bias)

    def forward(self, x):
        return self.last(self.end(self.blocks(self.begin(x))))[:, 0].float() * SCALE


def cast():
    return torch.autocast("cuda", torch.bfloat16, enabled=CUDA)


class Positions:
    """Positions on the device, with labels and what the evaluation says."""

    def __init__(self, today):
        self.today, self.sizes, self.all = today, {}, None

    def add(self, path, held=0):
        """Adds the positions of a file but the last ones, which are held out."""
        data = np.fromfile(path, dtype=KINDS)
        mover, other, label = (torch.from_numpy(data[name].copy()).to(DEVICE) for name, _ in KINDS)
        part = mover, other, label, self.today.value(mover, other)
        size = max(0, len(data) - held)
        kept = [values[:size] for values in part]
        self.all = [torch.cat(both) for both in zip(self.all, kept)] if self.all else kept
        self.sizes[path] = size
        return [values[size:] for values in part]

    def look(self, pattern):
        """Adds the files that are new; those still written to have another name."""
        for path in sorted(glob.glob(pattern)):
            if path not in self.sizes:
                self.add(path)

    def __len__(self):
        return len(self.all[0])

    def batch(self, chosen):
        return [values[chosen] for values in self.all]


@torch.no_grad()
def said(net, mover, other, value, symmetries=1):
    """What the teacher says, from one side or the mean of several."""
    parts = []
    for at in range(0, len(mover), BATCH):
        seen = planes(mover[at : at + BATCH], other[at : at + BATCH], value[at : at + BATCH])
        short = BATCH - len(seen) if CUDA else 0  # one size: compiled once
        if short:
            seen = torch.cat([seen, seen[:1].expand(short, -1, -1, -1)])
        out = 0
        for symmetry in range(symmetries):
            side = (at // BATCH + symmetry) % 8
            with cast():
                out = out + net(turn(seen, side).contiguous(memory_format=torch.channels_last))
        parts.append((out / symmetries)[: len(out) - short] + value[at : at + BATCH])
    return torch.cat(parts)


def count_empties(mover, other):
    return sum((~(mover | other) >> square) & 1 for square in range(64))


def report(net, name, part):
    mover, other, label, value = part
    net.eval()
    now = said(net, mover, other, value)
    net.train()
    empties = count_empties(mover, other)
    words = []
    for low, high in ((8, 14), (15, 20), (21, 26), (27, 33), (34, 40), (41, 52)):
        close = (label.abs() <= CLOSE) & (empties >= low) & (empties <= high)
        if close.any():
            before, after = ((x - label)[close] ** 2 for x in (value, now))
            words.append(f"{low}-{high}: {before.mean():.2f} > {after.mean():.2f}")
    print(f"  {name}, squared in open games: " + "  ".join(words), flush=True)


def learn(net, positions, test, args):
    groups = [
        {"params": [p for p in net.parameters() if p.ndim > 1], "weight_decay": 0.02},
        {"params": [p for p in net.parameters() if p.ndim <= 1], "weight_decay": 0},
    ]
    optimiser = torch.optim.AdamW(groups, lr=args.rate, fused=CUDA)
    run = torch.compile(net) if CUDA else net
    begun = told = looked = time.time()
    step = done = total = count = 0
    while done < 1:
        step += 1
        done = min(1, (time.time() - begun) / args.seconds)
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1, step / 300) * max(0.0, 1 - done)
        chosen = torch.randint(len(positions), (args.batch,), device=DEVICE)
        mover, other, label, value = positions.batch(chosen)
        eighth = args.batch // 8
        seen = planes(mover, other, value)
        seen = torch.cat([turn(seen[n * eighth : (n + 1) * eighth], n) for n in range(8)])
        with cast():
            now = run(seen.contiguous(memory_format=torch.channels_last))
        counts = 1 / (1 + (label / args.focus) ** 2)
        loss = ((now + value - label) ** 2 * counts).sum() / counts.sum()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        total, count = total + loss.detach(), count + 1
        if time.time() - looked > 20:
            looked = time.time()
            positions.look(args.searched)
        if time.time() - told > args.tell or done >= 1:
            told = time.time()
            rate = step * args.batch / (told - begun)
            print(f"{told - begun:.0f} s, {rate:.0f}/s, of {len(positions)}, loss {total / count:.3f}", flush=True)
            total = count = 0
            for name, part in test.items():
                report(net, name, part)


def label(net, positions, args):
    """Labels what was learned from, and as many of `many` as there is time for."""
    net.eval()
    run = torch.compile(net) if CUDA else net
    begun = time.time()
    positions.look(args.searched)
    at = 0
    for number, (path, size) in enumerate(positions.sizes.items()):
        mover, other, old, value = positions.batch(slice(at, at + size))
        at += size
        if not size:
            continue
        new = said(run, mover, other, value)
        empties = count_empties(mover, other)
        exact = empties <= (args.exact_games if path == args.games else args.exact_searched)
        write(os.path.join(args.out, f"own{number}.pos"), mover, other, torch.where(exact, old, (old + new) / 2))
    print(f"{at} positions of its own labelled in {time.time() - begun:.0f} s", flush=True)
    count, used = 0, []
    while time.time() - begun < args.label_seconds:
        paths = [path for path in sorted(glob.glob(args.many)) if path not in used]
        if not paths:
            if not args.wait:
                break
            time.sleep(0.2)
            continue
        data = np.fromfile(paths[0], dtype=KINDS)
        mover, other, value = (torch.from_numpy(data[name].copy()).to(DEVICE) for name, _ in KINDS)
        new = said(run, mover, other, value)
        write(os.path.join(args.out, f"many{len(used)}.pos"), mover, other, new)
        used.append(paths[0])
        count += len(data)
        print(f"{count} of many labelled in {time.time() - begun:.0f} s", flush=True)


def write(path, mover, other, label):
    data = np.empty(len(mover), dtype=KINDS)
    for (name, _), values in zip(KINDS, (mover, other, label)):
        data[name] = values.cpu().numpy()
    data.tofile(path + ".tmp")
    os.rename(path + ".tmp", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", required=True, help="the evaluation to know better than")
    parser.add_argument("--games", required=True, help="positions of games")
    parser.add_argument("--searched", required=True, help="files of positions that were searched")
    parser.add_argument("--many", required=True, help="files of positions to label, with what the evaluation says")
    parser.add_argument("--out", required=True, help="a folder for what is labelled, and the teacher")
    parser.add_argument("--teacher", help="one that has learned already")
    parser.add_argument("--blocks", type=int, default=8)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--seconds", type=float, default=480, help="how long to learn")
    parser.add_argument("--label-seconds", type=float, default=420, help="how long to label")
    parser.add_argument("--wait", action="store_true", help="for more to label, until the time is over")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--focus", type=float, default=16, help="discs by which a label is off zero to count half")
    parser.add_argument("--exact-games", type=int, default=18, help="empties from which labels of games are exact")
    parser.add_argument("--exact-searched", type=int, default=14, help="empties from which labels of searches are")
    parser.add_argument("--tell", type=float, default=30, help="seconds between reports")
    args = parser.parse_args()
    torch.manual_seed(1)
    torch.backends.cudnn.benchmark = True  # but no tf32: fillings are added up as floats and must be exact
    os.makedirs(args.out, exist_ok=True)
    today = Today(args.weights)
    many = sorted(glob.glob(args.many))[:1]
    for path in many:  # both evaluations are the same, but for rounding
        data = np.fromfile(path, dtype=KINDS, count=20_000)
        mover, other, value = (torch.from_numpy(data[name].copy()).to(DEVICE) for name, _ in KINDS)
        off = (today.value(mover, other) - value).abs()
        print(f"the same evaluation: {off.mean():.4f} discs apart on average, {off.max():.3f} at most", flush=True)
        assert off.mean() < 0.1
    positions = Positions(today)
    test = {"games": positions.add(args.games, HELD)}
    for path in sorted(glob.glob(args.searched))[:1]:
        test["searched"] = positions.add(path, HELD)
    net = Teacher(args.blocks, args.width).to(DEVICE).to(memory_format=torch.channels_last)
    if args.teacher:
        net.load_state_dict(torch.load(args.teacher, map_location=DEVICE))
        for name, part in test.items():
            report(net, name, part)
    else:
        learn(net, positions, test, args)
        state = {name: value.to(torch.bfloat16) for name, value in net.state_dict().items()}
        torch.save(state, f"{args.out}/teacher.pt")
    label(net, positions, args)


if __name__ == "__main__":
    main()
