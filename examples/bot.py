"""A player for an Outflank server, in Python's standard library: python3 bot.py http://127.0.0.1:8464 ofk_TOKEN

The token is of a program's account: "A program plays here" on the account's page makes it one.
It takes the first offer of a rated game in the lobby, or makes one and waits; it plays the corner if it can, else the move that turns
the fewest discs, and stops when the game is over. docs/api.md says what the server understands."""

import json
import sys
import urllib.error
import urllib.request

server, token = sys.argv[1:3]
rules = {"time": {"kind": "sudden_death", "main_ms": 300_000}, "overrun": "loses", "empties": "to_winner", "takebacks": False, "rated": True}


def ask(path, body=None):
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    return urllib.request.urlopen(urllib.request.Request(server + path, data, headers), timeout=15)


def choose(legal):
    corners = [move for move in legal if move["square"] in ("a1", "h1", "a8", "h8")]
    return min(corners or legal, key=lambda move: len(move["turns"]))["square"]


events = ask("/api/events")  # first of all: an offer stands as long as somebody waits for it
offers = [offer for offer in json.load(ask("/api/offers"))["offers"] if offer["rated"] and not offer["yours"]]
try:
    ask(f"/api/offers/{offers[0]['id']}/accept" if offers else "/api/offers", {} if offers else {"rules": rules, "rated": True})
except urllib.error.HTTPError as refused:
    sys.exit(refused.read().decode())
for line in events:
    event = json.loads(line) if line.strip() else {"type": "nothing"}
    if event["type"] == "your_turn":
        view = json.load(ask(f"/api/games/{event['game']}"))["view"]
        ask(f"/api/games/{event['game']}/moves", {"square": choose(view["legal"]), "ply": view["ply"]})
    elif event["type"] == "game_over":
        print(json.dumps(event))
        break
