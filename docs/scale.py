#!/usr/bin/env python3
"""The arithmetic of scale.md: prints its tables; --check fails when scale.md has others.

Every number under MEASURED is one that scale.md tells how to measure again; those under ASSUMED are a question, not an answer.
"""

import math
import random
import sys
from pathlib import Path

# --- measured ---
CPU_MOVE_MS = {1_000: 0.47, 10_000: 0.29, 100_000: 0.11}  # at about 84, 430 and 4,859 moves a second
CPU_PAGE_US = 13  # a second, of an idle page
MEMORY_MB = 107  # a server without visitors
PAGE_KB = 18.9
GAME_KB = 12.3  # beyond its two pages
SENT_MOVE_KB = 3.37  # to both players
SENT_PAGE_B = 3.25  # a second, to an idle page
VIEW_KB = 1.55  # to one watcher, a move
WRITTEN_KB = 19.5  # to the disk, for each change that is kept
KEPT_KB = 0.24  # what the database grows by, for each move
WRITER = (7_201, 11_860)  # moves a second, SQLite: the least and the most of several runs
WATCHER_US = (8_400 + 12_000) / 1_500  # for each watcher, a move
LISTS = 7_833  # a second, with both cores of the machine busy: those who ask are on them, too, and 50 games
CADDY_MB, CADDY_PAGE_KB, CADDY_PAGE_US = 36, 114.5, 43
CONNECT_MS, CADDY_CONNECT_MS = 0.17, 2.2

# --- assumed ---
PLAYERS = (1_000, 10_000, 100_000)  # all of them in a game
SECONDS_A_MOVE = 5  # of a game, both sides together: faster than a game of five minutes each
SECONDS_A_LIST = 60  # of a player: as often as a page asks that tells whose turn it is

# --- known ---
PORTS = 60_999 - 32_768 + 1  # Linux, from one address to one port of another


def wait_ms(rate, capacity):
    """How long a change waits for those before it, in the mean: a queue of random arrivals and equal work (M/D/1)."""
    busy = rate / capacity
    return math.inf if busy >= 1 else 1_000 * busy / (2 * capacity * (1 - busy))


def simulated_ms(rate, capacity, changes=400_000):
    """The same by playing it through: the mean wait and the wait that 99 in 100 do not exceed."""
    dice = random.Random(8464)
    now = free = 0.0
    waits = []
    for _ in range(changes):
        now += dice.expovariate(rate)
        waits.append(max(0.0, free - now))
        free = max(free, now) + 1 / capacity
    waits.sort()
    return 1_000 * sum(waits) / changes, 1_000 * waits[changes * 99 // 100]


def number(value):
    if math.isinf(value):
        return "never"
    digits = 0 if value >= 10 or value == round(value) else 1 if value >= 1 else 2 if value >= 0.01 else 4
    return f"{value:,.{digits}f}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def rate(players):
    return players / 2 / SECONDS_A_MOVE


def needs():
    def row(name, value):
        return [name, *(number(value(players)) for players in PLAYERS)]

    return table(
        ["players at once", *(f"{players:,}" for players in PLAYERS)],
        [
            row("moves a second", rate),
            row("server: cores", lambda n: rate(n) * CPU_MOVE_MS[n] / 1_000 + n * CPU_PAGE_US / 1e6),
            row("lists of games a second", lambda n: n / SECONDS_A_LIST),
            row("for them besides: cores, at most", lambda n: n / SECONDS_A_LIST * 2 / LISTS),
            row("server: memory, MB", lambda n: MEMORY_MB + n * PAGE_KB / 1_000 + n / 2 * GAME_KB / 1_000),
            row("Caddy: cores, idle pages alone", lambda n: n * CADDY_PAGE_US / 1e6),
            row("Caddy: memory, MB", lambda n: CADDY_MB + n * CADDY_PAGE_KB / 1_000),
            row("sent, Mbit a second", lambda n: (rate(n) * SENT_MOVE_KB * 1_000 + n * SENT_PAGE_B) * 8 / 1e6),
            row("written to the disk, MB a second", lambda n: rate(n) * WRITTEN_KB / 1_000),
            row("the same in TB a day", lambda n: rate(n) * WRITTEN_KB * 86_400 / 1e9),
            row("the database grows by, GB a day", lambda n: rate(n) * KEPT_KB * 86_400 / 1e6),
            row("SQLite's writer is busy, %, at its slowest", lambda n: 100 * rate(n) / WRITER[0]),
            row("and at its fastest", lambda n: 100 * rate(n) / WRITER[1]),
            row("nodes, by the ports of one proxy", lambda n: math.ceil(n / PORTS)),
            row("all come back: server, seconds of a core", lambda n: n * CONNECT_MS / 1_000),
            row("all come back: Caddy, seconds of a core", lambda n: n * CADDY_CONNECT_MS / 1_000),
        ],
    )


def queue():
    rows = []
    for busy in (0.1, 0.5, 0.8, 0.9, 0.95):
        load = busy * WRITER[0]
        mean, most = simulated_ms(load, WRITER[0])
        formula = wait_ms(load, WRITER[0])
        assert abs(mean - formula) <= 0.1 * formula + 0.001, (busy, mean, formula)
        rows.append([f"{100 * busy:.0f} %", number(load), number(formula), number(mean), number(most)])
    return table(["busy", "moves a second", "waits, ms, by formula", "played through", "99 in 100 within"], rows)


def watchers():
    rows = []
    for count in (1_500, 10_000, 100_000):
        rows.append([f"{count:,}", number(count * WATCHER_US / 1_000), number(count * VIEW_KB / 1_000)])
    return table(["watchers of one game", "ms of a core, a move", "MB sent, a move"], rows)


def main():
    tables = [needs(), queue(), watchers()]
    if sys.argv[1:] == ["--check"]:
        text = Path(__file__).with_suffix(".md").read_text(encoding="utf-8")
        missing = [each for each in tables if each not in text]
        if missing:
            sys.exit("scale.md should have:\n\n" + "\n\n".join(missing))
    else:
        print("\n\n".join(tables))


if __name__ == "__main__":
    main()
