### Every word Outflank says, in English. The same messages, with the same variables, are in the other files here.
### `cli-` is said by the command line, `play-` by the game in the terminal, `page-` by the page; the rest by all.

## Shared

black = Black
white = White
player-1 = Player 1
player-2 = Player 2
player-you = You

## Command line

cli-usage = Usage:
cli-usage-line = outflank [OPTIONS] [COMMAND]
cli-usage-options = [OPTIONS]
cli-commands = Commands
cli-arguments = Arguments
cli-options = Options
cli-man-name = NAME
cli-man-synopsis = SYNOPSIS
cli-man-exit = Exit status
cli-man-exit-codes = 0 if all went well; 2, with a sentence on standard error, if something could not be read, written or understood, or a game of a file is not legal; 1 if a score is not the known one or a player of a match failed; 130 if it was interrupted.

cli-help = Reversi for everyone: play it, think about it, study it, host it
cli-help-lang = Language of the messages: en or es; otherwise that of the environment (LC_ALL, LC_MESSAGES, LANG)
cli-help-help = Show this help
cli-help-version = Show the version
# What stands for a value in the help
cli-help-value-language = LANGUAGE
cli-help-value-address-port = ADDRESS:PORT
cli-help-value-address = ADDRESS
cli-help-value-folder = FOLDER
cli-help-value-name = NAME
cli-help-value-level = LEVEL
cli-help-value-colour = COLOUR
cli-help-value-rules = RULES
cli-help-value-minutes = MINUTES
cli-help-value-seconds = SECONDS
cli-help-value-opening = OPENING
cli-help-value-game = GAME
cli-help-value-games = GAMES
cli-help-value-moves = MOVES
cli-help-value-n = N
cli-help-value-mb = MB
cli-help-value-file = FILE
cli-help-value-from = FROM
cli-help-value-to = TO
cli-help-value-format = FORMAT
cli-help-value-a = A
cli-help-value-b = B
cli-help-value-plies = PLIES
cli-help-value-elo = ELO
cli-help-value-discs = DISCS
cli-help-value-discs-discs-discs = DISCS,DISCS,DISCS
cli-help-value-depth = DEPTH
cli-help-value-shell = SHELL
cli-help-value-years = YEARS
cli-help-value-result = RESULT

# Commands and their options
cli-help-show = Show a game or a position: from the text given, a file, or - for standard input
cli-help-show-game = Moves (f5d6c3), a board of 64 squares and the side to move, a file, or -
cli-help-show-at = Show the board after so many moves
cli-help-show-number = Which game of the file, from 1; the first if not given
cli-help-show-svg = Draw into this file: the numbered moves of a game, or with --at the board
cli-help-show-print = Draw in black on white, for paper
cli-help-show-json = Answer as JSON, for programs
cli-help-convert = Write the games of a file in another format
cli-help-convert-from = A file of games or positions, packed (.gz, .zip) or not; moves (f5d6c3); a board and the side to move; or - for standard input
cli-help-convert-into = The file to write, or - for standard output; its ending says the format
cli-help-convert-to = The format, whatever the ending: txt, pgn, ggf, sgf, wtb, obf, board or svg
cli-help-convert-force = Replace the files of names (.jou, .trn) that are there beside a .wtb file
cli-help-convert-json = Answer as JSON, for programs
cli-help-import = Check games: read files in any format, replay each game and compare its result
cli-help-import-check = Nothing more than without it: say which games are legal, and what is wrong with the others
cli-help-import-json = Answer as JSON, for programs
cli-help-import-files = Files of games or positions, packed (.gz, .zip) or not, or - for standard input
cli-help-library = Keep many games and search them: by position, player, tournament, year, result
cli-help-library-data = The folder that holds the library; the usual place for a program's data if not given
cli-help-library-json = Answer as JSON, for programs
cli-help-library-add = Add games; those that are there already are noticed
cli-help-library-add-files = Files of games in any format, packed (.gz, .zip) or not, or - for standard input
cli-help-library-add-data = The folder that holds the library; the usual place for a program's data if not given
cli-help-library-add-json = Answer as JSON, for programs
cli-help-library-find = Find games, and say how they went and what was played next
cli-help-library-find-position = Games that reach this position, seen from any side: moves (f5d6c3), a board of 64 squares and the side to move, a file, or -
cli-help-library-find-player = Part of a player's name, of either colour
cli-help-library-find-black = Part of the name of who plays Black
cli-help-library-find-white = Part of the name of who plays White
cli-help-library-find-tournament = Part of the tournament's name
cli-help-library-find-year = A year or a range of years: 2004, 1990..1999, 2010.., ..1985
cli-help-library-find-result = Who won: black, white or draw
cli-help-library-find-data = The folder that holds the library; the usual place for a program's data if not given
cli-help-library-find-json = Answer as JSON, for programs
cli-help-library-export = Write games of the library to a file, in any format
cli-help-library-export-into = The file to write, or - for standard output; its ending says the format
cli-help-library-export-to = The format, whatever the ending: txt, pgn, ggf, sgf, wtb, obf, board or svg
cli-help-library-export-force = Replace a file that is there
cli-help-library-export-position = Games that reach this position, seen from any side: moves (f5d6c3), a board of 64 squares and the side to move, a file, or -
cli-help-library-export-player = Part of a player's name, of either colour
cli-help-library-export-black = Part of the name of who plays Black
cli-help-library-export-white = Part of the name of who plays White
cli-help-library-export-tournament = Part of the tournament's name
cli-help-library-export-year = A year or a range of years: 2004, 1990..1999, 2010.., ..1985
cli-help-library-export-result = Who won: black, white or draw
cli-help-library-export-data = The folder that holds the library; the usual place for a program's data if not given
cli-help-library-export-json = Answer as JSON, for programs
cli-help-library-remove = Remove games from the library
cli-help-library-remove-numbers = The numbers of the games, as `library find` shows them
cli-help-library-remove-from = All games that came from the file of this name
cli-help-library-remove-data = The folder that holds the library; the usual place for a program's data if not given
cli-help-library-remove-json = Answer as JSON, for programs
cli-help-library-backup = Copy everything in the data folder, games and library, into one file; also while a server runs
cli-help-library-backup-into = The file to write
cli-help-library-backup-force = Replace a file that is there
cli-help-library-backup-data = The data folder; the usual place for a program's data if not given
cli-help-library-backup-json = Answer as JSON, for programs
cli-help-library-restore = Bring back what `library backup` copied
cli-help-library-restore-from = The file that was written then
cli-help-library-restore-force = Replace the games and the library that are there
cli-help-library-restore-data = The data folder; the usual place for a program's data if not given
cli-help-library-restore-json = Answer as JSON, for programs
cli-help-book = What the book of openings knows, and more of it on request
cli-help-book-show = What a position is worth and which moves the book has there
cli-help-book-show-game = Moves (f5d6c3), a board of 64 squares and the side to move, a file, or -; the first position if not given
cli-help-book-show-data = The folder with what was added; the usual place for a program's data if not given
cli-help-book-show-json = Answer as JSON, for programs
cli-help-book-add = Search the moves of a line and after it, keep them beside the games, and carry their values back
cli-help-book-add-game = Moves (f5d6c3), a board of 64 squares and the side to move, a file, or -
cli-help-book-add-depth = Plies to look ahead from each position that is added; 18 if not given
cli-help-book-add-threads = Search with N threads; 1 if not given
cli-help-book-add-hash = Remember positions in so many megabytes; 128 if not given
cli-help-book-add-data = The folder to keep them in; the usual place for a program's data if not given
cli-help-book-add-json = Answer as JSON, for programs
cli-help-solve = Find the exact score of each position of a file, and best play to the end
cli-help-solve-file = Positions, one to a line, as in Edax's test files (OBF); or games: of each, the last position; or moves, a board and the side to move, or - for standard input
cli-help-solve-threads = Search with N threads; 1 if not given
cli-help-solve-from = Begin with this position, counted from 1
cli-help-solve-to = End with this position
cli-help-solve-hash = Remember positions in so many megabytes; 512 if not given
cli-help-solve-weights = Use the evaluation in this file instead of the program's own
cli-help-solve-json = Answer as JSON, one object to a line, for programs
cli-help-bench = Measure this machine: counting positions, solving FFO 40-49, looking ahead
cli-help-bench-signature = Only print how many positions a small fixed set of searches visits: it changes when the search does
cli-help-bench-threads = Measure with N threads; 1 if not given
cli-help-bench-hash = Remember positions in so many megabytes; 512 if not given
cli-help-bench-depth = Look ahead so many plies in the midgame, 1 to 30; 16 if not given
cli-help-bench-json = Answer as JSON, for programs
cli-help-analyse = Say what the engine thinks of a position, or what each move of a game, or of every game of a file, cost
cli-help-analyse-game = Moves (f5d6c3), a board of 64 squares and the side to move, a file, or -
cli-help-analyse-at = Only the position after so many moves of the game
cli-help-analyse-number = Only this game of the file, counted from 1; all if not given
cli-help-analyse-depth = Plies to look ahead; 20 for a position and 14 for a game if not given
cli-help-analyse-time = Seconds to think, in a game about each move
cli-help-analyse-lines = How many of the best moves to show; 1 if not given
cli-help-analyse-threads = Search with N threads; 1 if not given
cli-help-analyse-hash = Remember positions in so many megabytes; 128 if not given
cli-help-analyse-json = Answer as JSON, one object to a line, for programs
cli-help-review = Look at every move of a game: what it lost, which were mistakes and why, what decided the game
cli-help-review-game = Moves (f5d6c3), a file of games, or - for standard input
cli-help-review-number = This game of the file, counted from 1; the first if not given
cli-help-review-depth = Plies to look ahead, and to the end from four more; 20 if not given
cli-help-review-seconds = Stop after so many seconds, with what is known by then
cli-help-review-threads = Search N positions at once; as many as there are cores if not given
cli-help-review-hash = Remember positions in so many megabytes; 128 if not given
cli-help-review-thresholds = The most discs that a good move, an inaccuracy and a mistake lose; 1,3,8 if not given
cli-help-review-html = Write a page that opens anywhere: board, graph, moves and reasons
cli-help-review-sgf = Write the game with values and reasons as comments and better lines as variations
cli-help-review-audit = Instead: how often a first review of so many games of the file is wrong, against solving the last 22 squares
cli-help-review-json = Answer as JSON, for programs
cli-help-match = Play many games between two players and say what they prove
cli-help-match-first = A player: level:5, depth:8 or time:0.1 (seconds a move), each with @FILE for other weights than the program's; mobility, random, gtp:COMMAND or nboard/DEPTH:COMMAND
cli-help-match-second = The other player, written the same way
cli-help-match-games = How many games; each opening is played twice with colours swapped; 100 if not given
cli-help-match-openings = Openings from this file, one to a line; those that come with the program if not given
cli-help-match-random = Begin with so many random moves instead
cli-help-match-time_per_move = Seconds for each move; who takes longer loses
cli-help-match-time_per_game = Seconds for each player's whole game
cli-help-match-parallel = Play N games at a time; 1 if not given
cli-help-match-hash = Megabytes for each of our players to remember positions; 16 if not given
cli-help-match-log = Write each game to this file, and go on with the match that is in it
cli-help-match-sprt = Stop once it is proven that A is stronger than B by the second number of Elo points, or only by the first
cli-help-match-seed = Decides the order of openings and the luck of careless levels; 1 if not given
cli-help-match-json = Answer as JSON, for programs
cli-help-openings = Make a list of openings in which neither side is better
cli-help-openings-count = How many; 400 if not given
cli-help-openings-plies = Moves of each; 8 if not given
cli-help-openings-depth = Plies to look ahead from its end; 12 if not given
cli-help-openings-most = The most discs that either side may be ahead; 2 if not given
cli-help-openings-seed = Another seed makes another list; 1 if not given
cli-help-openings-out = Write to this file; to standard output if not given
cli-help-openings-json = Answer as JSON, one object to a line, for programs
cli-help-gtp = Be an engine for programs that speak GTP, on standard input and output
cli-help-gtp-level = Strength, 1 to 18 or a name; without it nearly the strongest, or what the clock allows
cli-help-gtp-threads = Search with N threads; 1 if not given
cli-help-gtp-hash = Remember positions in so many megabytes; 128 if not given
cli-help-gtp-seed = Careless levels play the same with the same seed; another every time if not given
cli-help-nboard = Be an engine for NBoard and programs that speak its protocol, on standard input and output
cli-help-nboard-threads = Search with N threads; 1 if not given
cli-help-nboard-hash = Remember positions in so many megabytes; 128 if not given
cli-help-perft = Count every line of play, N plies deep, from the start or from a position; a pass is a ply
cli-help-perft-depth = How deep, 0 to 20
cli-help-perft-from = Count from here: moves (f5d6c3), a board of 64 squares and the side to move, a file, or -; the start if not given
cli-help-perft-threads = Share the work among N threads; 1 if not given
cli-help-perft-json = Answer as JSON, for programs
cli-help-completions = Print what a shell needs to complete these commands
cli-help-completions-shell = bash, elvish, fish, powershell or zsh
cli-help-man = Print the manual page

cli-perft-done = perft { $depth }: { $nodes } in { NUMBER($seconds, minimumFractionDigits: 3) } s, { $rate } million a second, { $threads ->
        [one] one thread
       *[other] { $threads } threads
    }

cli-solve-columns = no.|empties|score|move|nodes|seconds|nodes/s
cli-solve-line = line
cli-solve-wrong = WRONG, it is { $score }
cli-solve-none = there is no position with such a number in it
cli-solve-weights = { $path } holds no evaluation: { $why }
cli-solve-total = { $solved ->
        [one] { $solved } position
       *[other] { $solved } positions
    }: { $nodes } nodes in { NUMBER($seconds, minimumFractionDigits: 2) } s, { $rate }/s
cli-solve-total-wrong = { $wrong } WRONG
cli-bench-machine = { $cpu }, kernel { $kernel }, { $threads ->
        [one] one thread
       *[other] { $threads } threads
    }
cli-bench-perft = perft { $depth }: { $leaves } in { NUMBER($seconds, minimumFractionDigits: 2) } s, { $rate }/s
cli-bench-ffo = FFO 40-49: { $nodes } nodes in { NUMBER($seconds, minimumFractionDigits: 2) } s, { $rate }/s
cli-bench-columns = moves|empties|score|move|nodes|seconds|nodes/s
cli-bench-midgame = midgame, { $depth } plies: { $nodes } nodes in { NUMBER($seconds, minimumFractionDigits: 2) } s, { $rate }/s

cli-analyse-columns = depth|score|nodes|seconds|line
cli-analyse-game-columns = move||square|score|loss|better|depth|line
cli-analyse-game = Game { $number }  { $title }
cli-analyse-total = Discs lost: Black { $black }, White { $white }. Mistakes of four discs or more: Black { $blackmistakes }, White { $whitemistakes }.

cli-review-no-moves = there is no move to review: this is a position
cli-review-nothing-bad = No move was surely a mistake.
cli-review-better = Better: { $line }
cli-review-better-line = This was better.
cli-review-perhaps = Move { $number }, { $color }: { $square } perhaps lost { $discs } ({ $percent } % likely).
cli-review-total = Black lost { $black } (opening { $blackopening }, midgame { $blackmidgame }, ending { $blackending }), White { $white } (opening { $whiteopening }, midgame { $whitemidgame }, ending { $whiteending }).
cli-review-decided = Decided with move { $number }, { $color } { $square }: the last that surely changed who wins.
cli-review-decided-nothing = No single move surely changed who wins.
cli-review-decided-unknown = What decided the game is not known yet: not all of its moves were looked at.
cli-review-done = { $moves } of { $all } moves, { $seconds } s.
cli-review-audit = { $games } games, { $moves } moves with at most { $empties } empty squares. Called a mistake or worse: { $accused }, of which { $refuted } are not ({ $unsolved } were called so before they were solved). Mistakes or worse: { $mistakes }, of which { $missed } were not called so.
cli-review-page-language = en
cli-review-page-title = A game reviewed
cli-review-page-first = To the beginning
cli-review-page-back = Back
cli-review-page-next = Forward
cli-review-page-last = To the end
cli-review-page-moves = All moves
cli-review-page-game = Back to the game

cli-match-result = A against B: { $wins } won, { $draws } drawn, { $losses } lost; { NUMBER($points, minimumFractionDigits: 1) } % of the points, { $discs } discs a game
cli-match-elo = With 95 % certainty between { NUMBER($worst, minimumFractionDigits: 1) } and { NUMBER($best, minimumFractionDigits: 1) } % of the points; Elo { $elo }, between { $low } and { $high }
cli-match-proven = Proven: A is that much stronger (log-likelihood ratio { $ratio }).
cli-match-refuted = Refuted: A is not that much stronger (log-likelihood ratio { $ratio }).
cli-match-undecided = Not decided (log-likelihood ratio { $ratio }; 2.94 or -2.94 decides).
cli-match-resumed = the file already has { $games ->
        [one] one game
       *[other] { $games } games
    } of this match; it goes on from there
cli-match-other = { $path } holds another match: choose another file, or the same players, openings, times and seed
cli-match-no-openings = { $path } has no opening in it
cli-openings-none = no such opening was found: allow more moves (--plies) or more discs (--most)
cli-openings-few = { $found ->
        [one] only one such opening was found
       *[other] only { $found } such openings were found
    }, not { $wanted }
cli-match-trouble = game { $game }: { $who } loses, { $why }
cli-match-troubled = { $games ->
        [one] { $who } lost one of { $of } games without playing it out
       *[other] { $who } lost { $games } of { $of } games without playing them out
    }, { $why }
cli-match-not-started = because its command cannot be run: { $why }
cli-match-crashed = because it ended in the middle of the game
cli-match-hung = because it does not answer
cli-match-answer = because it answers “{ $answer }”
cli-match-illegal = because { $square } is not a legal move
cli-match-time = because its time ran out
cli-match-no-move = because it found no move

cli-import-done =
    { $games ->
        [one] { $games } game
       *[other] { $games } games
    }, { $legal } legal, { $rejected } rejected
cli-library-empty = the library is empty; add games with: outflank library add FILES
cli-library-size =
    { $games ->
        [one] { $games } game
       *[other] { $games } games
    }, { $players ->
        [one] { $players } player
       *[other] { $players } players
    }, { $tournaments ->
        [one] { $tournaments } tournament
       *[other] { $tournaments } tournaments
    }, { $megabytes } MB
cli-library-years = { $from } to { $to }
cli-library-added =
    { $added ->
        [one] { $added } game added
       *[other] { $added } games added
    }, { $there } already there, { $rejected } rejected, in { $seconds } seconds
cli-library-none = no game like that is in the library
cli-library-columns = next | games | Black won | drawn | White won | average
cli-library-more =
    { $more ->
        [one] and { $more } more
       *[other] and { $more } more
    }
cli-library-exported =
    { $games ->
        [one] { $games } game
       *[other] { $games } games
    } in { $path }
cli-library-there = { $path } is there already; --force replaces it
cli-library-removed =
    { $games ->
        [one] { $games } game removed
       *[other] { $games } games removed
    }
cli-library-no-source = no game in the library came from { $name }
cli-library-no-number = the library has no games with these numbers
cli-book-unknown = the book does not have this position; add it with: outflank book add MOVES
cli-book-columns = move | score | depth | lines
cli-book-added =
    { $positions ->
        [one] { $positions } position added
       *[other] { $positions } positions added
    }, { $depth } plies deep; a server that runs knows them when it starts again
cli-book-damaged = { $path } is not a book of openings; nothing was changed
cli-backup-nothing = there is nothing in { $path } to copy
cli-backup-done = everything is in { $path }; keep it where only you can read it
cli-backup-foreign = { $path } is not a whole backup; nothing was changed
cli-restore-done = everything is back in { $folder }
cli-rejected = { $file }, game { $game }, { $place }: { $why }
cli-rejected-file = { $file }: { $why }
cli-place-line = line { $line }
cli-place-byte = byte { $byte }
cli-convert-no-format = the name { $path } does not say a format: give it an ending (txt, pgn, ggf, sgf, wtb, obf, board, svg) or use --to
cli-convert-names-there = { $path } is there already and may hold the names of other games: write to another name, or use --force to replace it
cli-convert-warned = { $sentence }; the game is written as it is
cli-lost =
    { $format } does not keep { $what } of { $games ->
        [one] one game
       *[other] { $games } games
    }
cli-lost-moves = the moves
cli-lost-variations = the variations
cli-lost-comments = the comments, or a part of them,
cli-lost-evaluations = the evaluations of moves
cli-lost-seconds = the time taken for each move
cli-lost-players = the players' full names
cli-lost-ratings = the players' ratings
cli-lost-event = the full name of the event
cli-lost-site = the place
cli-lost-date = the whole date
cli-lost-round = the round
cli-lost-clock = the time control
cli-lost-result = the result, or that there is none,
cli-lost-ending = the way the result came about (resigned, out of time, agreed)
cli-lost-theory = the theoretical score
cli-lost-known = the known scores of moves
cli-lost-properties = other properties
cli-lost-orientation = the orientation of the board (the first move becomes f5)
cli-show-nothing = { $name } is neither a file nor a game or position
cli-show-no-game =
    { $file } has { $count ->
        [one] one game
       *[other] { $count } games
    }; there is no game { $wanted }
cli-show-no-ply = the game has { $played ->
        [one] one move
       *[other] { $played } moves
    }; there is no board after { $at }
cli-show-last = move { $count }: { $square }
cli-show-black-moves = Black to move, { $black }-{ $white }
cli-show-white-moves = White to move, { $black }-{ $white }
cli-show-known = Known: { $moves }
cli-show-black-wins = Black wins { $score }
cli-show-white-wins = White wins { $score }
cli-show-draw = Draw, { $score }

cli-error-read = cannot read { $path }: { $reason }
cli-error-write = cannot write { $path }: { $reason }
cli-error-stdout = cannot write to standard output: { $reason }
cli-error-command = there is no command { $name }; `outflank --help` lists them
cli-error-unknown = there is no option or argument { $arg } here; `--help` lists what there is
cli-error-no-value = { $arg } needs a value
cli-error-value = { $value } is no value for { $arg }: { $help }
cli-error-range = { $value } is out of range for { $arg }: from { $low } to { $high }
cli-error-least = { $value } is out of range for { $arg }: { $low } or more
cli-error-missing = something is missing: { $arg }
cli-error-conflict = { $arg } cannot go together with { $other }
cli-error-utf8 = something typed is not text (UTF-8); only names of files may be such
cli-reason-not-found = there is no such file or folder
cli-reason-denied = permission denied
cli-reason-directory = it is a folder
cli-reason-not-a-directory = a part of the path is not a folder
cli-reason-read-only = the disk is read-only
cli-reason-full = the disk is full
cli-reason-unknown-issuer = nobody whom this computer trusts signed its certificate
cli-reason-other-name = its certificate is for another name
cli-reason-expired = its certificate has expired
cli-reason-not-encrypted = the connection could not be encrypted: { $reason }

cli-unwritable-start = a game does not begin at the usual start, and { $format } cannot say so
cli-unwritable-moves = { $format } holds positions, and there is a game with moves
cli-unwritable-one = { $format } holds one game only, and there are several
cli-unwritable-names = there are more names than a WTHOR file can number

# outflank serve
cli-help-serve = Start the game in a browser; this is also what plain `outflank` does
cli-help-serve-listen = Where to listen; 127.0.0.1:8464 if not given, which only this computer reaches
cli-help-serve-data = The folder that holds the games; the usual place for a program's data if not given
cli-help-serve-database = The PostgreSQL database that holds the games instead of the folder, such as postgres://name:password@host/database; what OUTFLANK_DATABASE says if not given
cli-help-serve-bus = The NATS server by which several nodes that serve one database hear of each other, such as nats://host:4222; what OUTFLANK_BUS says if not given
cli-help-serve-lan = Let phones and computers on this network in from the start, and show the address as a QR code; the page can do so later too
cli-help-serve-network = An address of this computer that other devices reach, instead of those it finds; may be repeated
cli-help-serve-no_open = Do not open a browser
cli-help-serve-host = A name under which the server is reached besides its addresses, such as club.example, or https://club.example where a proxy adds encryption; may be repeated. The owner is then only whoever opens the link that is printed
cli-help-serve-behind_proxy = The address, or range of addresses, of a proxy that is believed when it says for whom it asks (X-Forwarded-For); may be repeated. The owner is then only whoever opens the link that is printed
cli-help-serve-open_metrics = Let anybody read /metrics, not only the owner
cli-help-serve-open_library = Let everyone search the library, not only the owner
cli-help-serve-open_lobby = Open the lobby, where people with and without an account meet; the owner can also open it while the server runs
cli-help-serve-no_registration = Let nobody open an account, whatever the owner decides while the server runs
cli-help-serve-connections = At most so many connections at once, from 64 to 1000000 and as far as the system allows; 4000 if not given
cli-help-serve-per_address = At most so many of them from one address on the network; 256 if not given
cli-help-serve-log = What goes to standard error: off, error, warn, info or debug; warn, or what OUTFLANK_LOG says, if not given
cli-help-play = Play in the terminal: two people, or one against the computer
cli-help-play-black = What Black is called
cli-help-play-white = What White is called
cli-help-play-level = Play against the computer at this level, 1 to 18 or a name
cli-help-play-color = Your colour against the computer: black or white; black if not given
cli-help-play-toss = Toss for colours
cli-help-play-rules = casual (no clock), club (20 minutes), thirty (30 minutes, out of time loses 64–0), tournament (30 minutes, the two-minute rule) or japan (20 minutes); casual if not given
cli-help-play-minutes = Minutes on each clock, 1 to 1440, instead of those of the rules
cli-help-play-increment = Seconds added by each move, 0 to 3600
cli-help-play-opening = standard, or balanced: eight moves are given after which neither side is ahead; standard if not given
cli-help-play-resume = Go on with the last game that is not over
cli-help-play-game = Go on with this game: its id is the last part of its address in the page
cli-help-play-plain = Lines of text, for screen readers and pipes
cli-help-play-data = The folder that holds the games; the usual place for a program's data if not given
cli-serve-ready = Outflank is ready: { $address }
cli-serve-saved = Games are saved in { $folder }. Ctrl-C stops the server; no game is lost.
cli-serve-owner = You are the owner in every browser in which you open { $address } (keep it to yourself; it changes with each start)
cli-serve-lan = On another device on this network, scan this or type { $address }
cli-serve-no-lan = This computer has no network address that other devices could use; they get in as soon as it has one.
cli-serve-stopped = Stopped. Every game is saved.
cli-error-port-used = { $address } is in use, perhaps by another Outflank; open it there, or choose another port with --listen 127.0.0.1:0
cli-error-port-denied = this user may not listen on { $address }; choose a port above 1023
cli-error-port-address = this computer does not have the address { $address }
cli-error-listen = cannot listen on { $address }: { $reason }
cli-error-no-home = cannot tell where to keep the games: name a folder with --data
cli-error-data-file = { $path } is a file, not a folder; name another folder with --data
cli-error-data-denied = no permission to write in { $path }; name another folder with --data
cli-error-data-used = another Outflank is using the games in { $path }
cli-error-data-foreign = { $path } belongs to another program; it was left as it is. Name another folder with --data
cli-error-data-newer = { $path } was written by a newer Outflank; it was left as it is. Use that version
cli-error-data-damaged = { $path } is damaged ({ $reason }); it was left as it is. Bring back a copy, or name another folder with --data
cli-error-data-full = the disk is full: { $path }
cli-error-bus = the other nodes cannot be heard: { $reason }
cli-error-data = the games cannot be opened: { $reason }

## Why a game is not taken
cli-archive-too-large = unpacked it is larger than { $most } megabytes, or holds too many files
cli-archive-damaged = it cannot be unpacked: { $reason }
cli-why-occupied = move { $ply }: { $square } already has a disc
cli-why-turns-nothing = move { $ply }: { $square } turns no disc
cli-why-game-over = move { $ply }: { $square } comes after the end of the game
cli-why-wrong-turn =
    move { $ply }: { $square } is given to { $by ->
        [black] Black, but it is White's turn
       *[white] White, but it is Black's turn
    }
cli-why-pass =
    a pass before move { $ply }, but { $by ->
        [black] Black
       *[white] White
    } can move
cli-why-square = move { $ply }: “{ $found }” is not a square
cli-why-go = “{ $found }” is a point of a Go board
cli-why-moves = more moves than a game can have
cli-why-nodes = more than { $most } moves in all variations
cli-why-properties = more than { $most } properties
cli-why-size = a board of size { $size }; only 8 × 8 is read
cli-why-game = the game is “{ $game }”, not Othello
cli-why-no-board = the board at the start is missing
cli-why-two-discs = { $square } has both a black and a white disc
cli-why-no-discs = the board has no disc on it
cli-why-late-setup = discs are set up after the first move
cli-why-unclosed = { $open } is never closed
cli-why-unexpected = “{ $found }” is not expected here
cli-why-board-character = square { $square } of the board is “{ $found }”
cli-why-board-squares =
    { $count ->
        [one] { $count } square
       *[other] { $count } squares
    } where 64 are needed
cli-why-no-turn = the side to move is missing after the board
cli-why-number = “{ $found }” is not a number
cli-why-truncated = the file is cut short: its header promises { $promised ->
        [one] one game
       *[other] { $promised } games
    }, it holds { $found }
cli-why-no-header = it is too short to be a WTHOR file
cli-why-move-byte = move { $ply }: byte { $byte } stands for no square
cli-why-score = a score of { $score } discs; a board has 64
cli-why-players = it holds names of players, not games
cli-why-tournaments = it holds names of tournaments, not games
cli-why-solitaires = it holds endgame positions, not games
cli-why-prose = there is a square in it, but no game that can be told from the words around it
cli-why-between = there are moves here, outside of the games of the file
cli-why-no-moves = there are no moves in it; a library keeps games
cli-why-result = the result is given as { $claimed }, but the moves end { $played }
cli-why-unknown = it has no game or position that Outflank can read
cli-why-empty = the text is empty
cli-why-link-damaged = the link is damaged, or comes from a newer Outflank
cli-why-link-no-moves = the link holds no moves: paste the moves themselves
page-library-game-number = game { $game }
page-library-line = line { $line }
page-library-refused =
    { $refused ->
        [one] { $refused } was not taken
       *[other] { $refused } were not taken
    }
page-library-refused-first = Here are the first { $count }.

## Terminal

play-computer = Computer, level { $level }
play-nobody = nobody yet
play-turn = { $color ->
        [black] Black to move.
       *[white] White to move.
    }
play-move = { $color ->
        [black] Black
       *[white] White
    } { $square }, turns { $discs }.
play-going-on = Game { $game } goes on: { $black } (Black) against { $white } (White), { $moves ->
        [one] one move played.
       *[other] { $moves } moves played.
    }
play-going-on-short = Game { $game } goes on.
play-passes = { $color ->
        [black] Black has no move. White plays again.
       *[white] White has no move. Black plays again.
    }
play-pass = pass
play-count = Black { $black }, White { $white }.
play-legal = { $color ->
        [black] Black may play
       *[white] White may play
    }: { $squares }
play-clocks = Time left: Black { $black }, White { $white }
play-no-clock = This game has no clock.
play-overtime = { $time } overtime
play-moves = Moves
play-no-moves = No moves yet.
play-given = The game begins after these moves: { $moves }
play-opening = Opening: { $name }.
play-thinking = The computer is thinking…
play-taken-back = Taken back.
play-hint = A good move: { $square }
play-wins = { $color ->
        [black] Black wins
       *[white] White wins
    } { $high }–{ $low }.
play-draw = A draw, { $black }–{ $white }.
play-why-full = The board is full.
play-why-wiped-out = { $color ->
        [black] Black has no disc left.
       *[white] White has no disc left.
    }
play-why-no-moves = Neither side can move.
play-why-resigned = { $color ->
        [black] Black gave up.
       *[white] White gave up.
    }
play-why-out-of-time = { $color ->
        [black] Black ran out of time.
       *[white] White ran out of time.
    }
play-late = { $color ->
        [black] Black had run out of time and counts 31 at most.
       *[white] White had run out of time and counts 31 at most.
    }
play-empties =
    On the board { $black }–{ $white }; { $empties ->
        [one] the empty square goes to the winner.
       *[other] the { $empties } empty squares go to the winner.
    }
play-empties-shared = On the board { $black }–{ $white }; the { $empties } empty squares are shared.
play-score = Score { $difference }.
play-scrapped = The game was scrapped for another.
play-aborted = { $color ->
        [black] Black did not play the game. It has no result.
       *[white] White did not play the game. It has no result.
    }
play-why-left = { $color ->
        [black] Black left the game.
       *[white] White left the game.
    }
play-offer-answer = y or yes: agree, x or no: decline.
play-confirm-resign = { $color ->
        [black] Does Black give up? y: yes, any other key: no
       *[white] Does White give up? y: yes, any other key: no
    }
play-confirm-new = { $over ->
        [yes] A new game? 1: same colours, 2: colours swapped, anything else: no
       *[no] A new game? This one is scrapped. 1: same colours, 2: colours swapped, anything else: no
    }
play-saved = The game is kept; `outflank play --resume` goes on with it.
play-save-name = Save the game as (txt, pgn, ggf, sgf, wtb, board or svg; nothing for no):
play-save-there = { $path } is there already. Replace it? y: yes, any other key: no
play-save-done = Saved as { $path }
play-save-without = Saved as { $path }, without { $what }
play-save-not = { $path } was not saved: { $reason }
play-save-format = The name { $path } does not say a format: let it end in txt, pgn, ggf, sgf, wtb, board or svg.
play-looking = After move { $number } of { $moves }. End or Esc goes back to the game.
play-too-small = The window is too small for the board. Make it larger, or use `outflank play --plain`.
play-keys-short = Arrows and Enter play · u take back · s save · n new game · ? all keys · q quit
play-keys-title = Keys
play-keys =
    arrows        move the cursor
    e then 6      go to e6
    Enter, Space  play there (or click)
    u             take back
    t             a good move
    s             save to a file
    r             give up
    n             new game
    y, x          agree, decline what the other player asks
    PgUp, PgDn    look at earlier moves
    Home, End     the start, the game
    Ctrl-Z        back to the shell; fg goes on
    q             quit; the game is kept
play-plain-welcome = Type a square such as f5 to play there, help for the other words, quit to stop.
play-plain-help = board: the board; legal: where one may play; moves: the moves so far; clock: time left; hint: a good move; undo: take back; resign: give up; new: new game; yes, no: answer the other player; save game.sgf: save to a file; quit: stop, the game is kept.
play-unknown = “{ $text }” is no square and no word I know. Type help.
play-refused-occupied = { $square } already has a disc.
play-refused-turns-nothing = { $square } turns no disc, so it cannot be played.
play-refused-over = The game is over. n or new begins another.
play-refused-out-of-time = The time had run out.
play-refused-no-takebacks = This game is played without takebacks.
play-refused-nothing = There is no move to take back.
play-refused-unsure = The disk made an error, so it is not certain that this was saved. Begin again with --resume to see.
play-connected = The connection to the server was lost and is back.
play-connected-here = The server has stopped. The game goes on in this terminal.
play-handed-over = A server has been started. The game goes on there.
play-no-answer = another Outflank is using the games in { $path } and does not answer ({ $reason }); no game is lost
play-other-version = another version of Outflank is using the games in { $path }; stop it first
play-not-saved = The game cannot be saved, so nothing was done: { $reason }
play-nothing-to-resume = there is no game to go on with; `outflank play` begins one
play-no-such-game = { $count ->
        [0] there is no game { $game }, nor any other that is not over
       *[other] there is no game { $game }; not over are { $games }
    }
play-bad-name = “{ $name }” cannot be a name: 1 to 24 visible characters
play-bad-clock = a clock holds between one second and 24 hours
play-terminal = the terminal cannot be used ({ $reason }); try `outflank play --plain`

## Page

# Everywhere
page-close = Close
page-cancel = Cancel
page-reload = Load again
page-lost = Connection lost. Your game is saved; reconnecting…
page-shut = The other computer has closed its door to the network. Your game is saved; it goes on when the door opens.
page-not-loaded = This page could not be loaded: the server is away. Your games are saved; try again in a moment.
page-stale = The server was updated. Load the page again to go on; your games are safe.
page-not-owner = That owner’s link is not good, or no longer: the server prints a new one each time it starts.
page-tools = Tools
page-more = More
page-sound = Sound
page-settings = Settings
page-help-title = Help
page-to-start = To the start page
page-gone-title = This game is not here
page-gone-text = It was deleted, or the link is not complete. Your other games are safe.

# Start page
page-start-title = Play Reversi
page-start-lead = Trap your opponent’s discs between your own and they turn to your colour.
page-continue = Continue your game
page-again = Play again
page-again-computer = Computer { $level }
page-again-black = you play Black
page-again-white = you play White
page-again-toss = a toss for colours
page-quiet-stop = Stop the game on the board
page-quiet-go = Let the game on the board go on
page-way-two = Two players here
page-way-two-note = Take turns at this screen
page-way-computer = Against the computer
page-way-computer-note = Eighteen levels, from a first game to nearly perfect
page-way-nearby = Someone nearby
page-way-nearby-note = They join from their own phone or computer
page-begin = Start the game
page-invite = Invite
page-who = Who plays
page-your-name = Your name
page-swap = Swap
page-toss = Toss a disc
page-tossed = The disc has fallen: { $name } plays Black.
page-black-first = Black plays first.
page-your-colour = Your colour
page-colour-black = Black (first)
page-colour-white = White
page-colour-toss = Toss a disc
page-level = How strong
page-level-number = Level { $level }
page-level-title = { $level }{ "\u00a0" }· { $name }

# Clock and rules
page-clock = Clock and rules
page-clock-casual = No clock
page-clock-casual-note = Take your time. Moves can be taken back.
page-clock-club = Club
page-clock-club-note = 20 minutes each. Out of time loses 64–0. Moves can be taken back.
page-clock-thirty = Thirty minutes
page-clock-thirty-note = 30 minutes each. Out of time loses 64–0. No takebacks.
page-clock-tournament = Tournament
page-clock-tournament-note = 30 minutes each, as at World Championships: out of time loses, with two more minutes to finish and 31–33 at best. No takebacks.
page-clock-japan = Japan
page-clock-japan-note = 20 minutes each. Out of time loses; the winner gets the discs on the board, at least 33. No takebacks.
page-clock-custom = Custom
page-clock-custom-note = Your own time and rules.
page-clock-kind = Time
page-clock-kind-sudden-death = Fixed
page-clock-kind-fischer = Plus seconds a move
page-clock-kind-byo-yomi = Then periods
page-clock-kind-none = No clock
page-clock-field-minutes = Minutes for each player
page-clock-field-minutes-wrong = Please enter { $low } to { $high } minutes.
page-clock-field-increment = Seconds added by each move
page-clock-field-increment-wrong = Please enter { $low } to { $high } seconds.
page-clock-field-period = Seconds in a period
page-clock-field-period-wrong = Please enter { $low } to { $high } seconds.
page-clock-field-periods = Periods
page-clock-field-periods-wrong = Please enter a whole number from { $low } to { $high }.
page-clock-overrun = Running out of time
page-clock-overrun-loses = Loses 64–0
page-clock-overrun-two-minutes = Two more minutes
page-clock-overrun-at-least33 = Board counts, 33 at least
page-empties = Empty squares at the end
page-empties-to-winner = Go to the winner
page-empties-discs-only = Do not count
page-set-takebacks = Moves can be taken back
page-opening = Opening
page-opening-standard = Standard
page-opening-standard-note = Four discs in the middle, Black begins.
page-opening-balanced = Balanced
page-opening-balanced-note = Eight moves are given, drawn from 500 in which neither side is ahead. A rematch plays the same ones with colours swapped.
page-clock-overtime = overtime
page-clock-out = out of time
page-clock-periods = { $more ->
        [0] last period
        [one] 1 more period
       *[other] { $more } more periods
    }
page-clock-black = Black’s clock
page-clock-white = White’s clock

# Levels of the computer
page-computer-level = Computer · { $level }
page-level-newcomer = Newcomer
page-level-beginner = Beginner
page-level-learner = Learner
page-level-easy = Easy
page-level-casual = Casual
page-level-regular = Regular
page-level-keen = Keen
page-level-steady = Steady
page-level-club = Club
page-level-sharp = Sharp
page-level-strong = Strong
page-level-tournament = Tournament
page-level-champion = Champion
page-level-expert = Expert
page-level-master = Master
page-level-grandmaster = Grandmaster
page-level-superhuman = Superhuman
page-level-perfect = Perfect

# The game
page-game-title = Game
page-title-your-turn = Your turn
page-board = Board
page-bar-black = Black
page-bar-white = White
page-to-move = { $who ->
        [you] to move
       *[they] to move
    }
page-thinking = thinking…
page-away = away
page-winner = { $who ->
        [you] win
       *[they] wins
    }
page-seat-open = Open seat
page-discs = { $count ->
        [one] 1 disc
       *[other] { $count } discs
    }
page-black-to-move = Black to move.
page-white-to-move = White to move.
page-your-turn = { $color ->
        [black] Your turn. You play Black.
       *[white] Your turn. You play White.
    }
page-computer-thinks = The computer is thinking…
page-notice-white-passes = { $who ->
        [you] You have no move. Black plays again.
        [they] White has no move. You play again.
       *[both] White has no move. Black plays again.
    }
page-notice-black-passes = { $who ->
        [you] You have no move. White plays again.
        [they] Black has no move. You play again.
       *[both] Black has no move. White plays again.
    }
page-notice-white-briefly = { $who ->
        [you] No move for you.
       *[they] No move for White.
    }
page-notice-black-briefly = { $who ->
        [you] No move for you.
       *[they] No move for Black.
    }
page-notice-white-passed = { $who ->
        [you] You had no move, so Black played again. Now it is your turn.
        [they] White had no move, so you played again. Now White plays.
       *[both] White had no move, so Black played again. Now White plays.
    }
page-notice-black-passed = { $who ->
        [you] You had no move, so White played again. Now it is your turn.
        [they] Black had no move, so you played again. Now Black plays.
       *[both] Black had no move, so White played again. Now Black plays.
    }
page-moves = Moves
page-moves-none = The moves will appear here.
page-move-given = given
page-opening-given = { $count } moves are given.
page-pass = pass
page-step-first = To the start of the game
page-step-back = One move back
page-step-next = One move forward
page-step-last = To the last move
page-step-slider = Look through the game
page-step-value = Looking back at move { $ply } of { $moves }
page-takeback = Take back
page-hint = Hint
page-hint-thinking = Looking for a good move…
page-resign = Resign
page-new-game = New game
page-rematch = Rematch
page-back-to-game = Back to the game
page-back-to-result = Back to the result
page-what-decided = What decided it?
# The same, where there is little room
page-review = Review
page-try-level = Try level { $level }
page-save = Save

# Squares, as a screen reader says them
page-square-empty = { $square }, empty
page-square-black = { $square }, black
page-square-white = { $square }, white
page-square-legal = legal, turns { $count ->
        [one] 1 disc
       *[other] { $count } discs
    }
page-square-last = last move
page-square-hint = hint
page-say-move = { $color } { $square }, turns { $squares }.
page-say-start = The start of the game.

# A word about the last click
page-remark-occupied = There is a disc on { $square } already.
page-remark-turns-nothing = { $square } would turn nothing{ $marks ->
        [yes] : choose a marked square.
       *[no] .
    }
page-remark-turn = Not yet: it is { $color }’s turn.
page-remark-over = This game is over.
page-remark-waiting = The other player is not here yet.
page-remark-looking = You are looking at an earlier position. Go back to the game first.
page-remark-watching = You are watching this game.
page-remark-hint = { $square } is a good move.
page-remark-taken-back = Taken back.
page-remark-server-back = The server was away and is back. No time was lost.
page-remark-seated = The other player is here.
page-remark-left = { $name } has left for now. The game is saved.
page-remark-back = { $name } is back.

# What one player asks of the other
page-offer = Question
page-offer-takeback = { $name } asks to take a move back.
page-offer-new-game = { $over ->
        [yes] { $name } asks for a new game.
       *[no] { $name } asks to scrap this game for a new one.
    }
page-offer-rematch = { $over ->
        [yes] { $name } asks for a rematch.
       *[no] { $name } asks to scrap this game for a rematch.
    }
page-offer-scrap = { $name } asks to scrap this game, without a result.
page-offer-yours-takeback = You asked { $name } to take a move back.
page-offer-yours-new-game = You asked { $name } for a new game.
page-offer-yours-rematch = You asked { $name } for a rematch.
page-offer-yours-scrap = You asked { $name } to scrap this game.
page-offer-declined = { $name } says no.
page-offer-withdrawn = { $name } has taken the question back.
page-accept = Accept
page-decline = Decline
page-withdraw = Withdraw

# Why the server did not do it
page-refused-bad-message = The server did not understand. Load the page again; your game is safe.
page-refused-too-many = That was too fast. Wait a moment and try again.
page-refused-no-such-game = This game is not here any more.
page-refused-not-yours = Only the players can do this.
page-refused-not-your-turn = It is the other player’s turn.
page-refused-wrong-ply = The position has changed. Look again.
page-refused-full = There are too many already. Finish, stop or delete some first.
page-refused-busy = The computer has too many questions to answer. Try again in a moment.
page-refused-too-long = So much has happened in this game that it can only be played to its end.
page-refused-occupied = There is a disc on that square already.
page-refused-turns-nothing = That move would turn nothing.
page-refused-over = This game is over.
page-refused-out-of-time = The time had run out.
page-refused-waiting = The other player is not here yet.
page-refused-no-takebacks = This game is played without takebacks.
page-refused-nothing-to-take-back = You have no move to take back.
page-refused-already-asked = You have asked already.
page-refused-not-asked = Nobody is asking for that any more.
page-refused-seat-taken = The seat is taken.
page-refused-bad-invite = This invitation is not good, or no longer. Ask for a new one.
page-refused-no-hints = No hints against another person.
page-refused-bad-rules = Nobody could play with this clock. Check its numbers.
page-refused-cannot-listen = This computer does not let Outflank listen to the network. A firewall may be in the way.
page-refused-not-saved = It could not be saved, so nothing was changed. Is the disk full?
page-refused-unsure = The disk made an error, so it is not certain that this was saved. Load the page again to see.
page-refused-unreadable = This game cannot be read. It may be from a newer Outflank, or damaged.
page-refused-no-such-study = This study is not here any more.
page-refused-no-such-node = This position is not in the study any more.
page-refused-stale = The study has changed elsewhere meanwhile. Look again.
page-refused-bad-text = No game and no position could be read in this text.
page-refused-too-large = That is too much for one study.
page-refused-nothing-to-undo = There is no change to undo or redo.
page-refused-nothing-found = No such position was found. Try a wider range.
page-refused-no-such-card = This exercise is not here any more.
page-refused-scope = This token may only read.
page-refused-name-taken = That is the name of somebody’s account, or looks like it. Choose another, or sign in.

# Meeting others: why not
page-refused-lobby-closed = The lobby of this server is closed.
page-refused-no-such-offer = This offer is gone: someone has taken it, or it was withdrawn.
page-refused-no-such-person = Nobody here has this name.
page-refused-needs-account = Rated games need an account. Without one you can play casual games.
page-refused-not-for-you = This offer is for other players.
page-refused-not-wanted = One of you does not want to meet the other.
page-refused-needs-program-account = Programs play rated games only from an account that says so: “A program plays here”, on its page.
page-refused-playing-rated = You are playing a rated game: the engine is quiet until it ends.
page-refused-position-in-play = You are playing a rated game in which this can come up: the engine is quiet about it until that game ends.

# The end
page-result-black-wins = Black wins { $first }–{ $second }.
page-result-you-win = You win, { $first }–{ $second }!
page-result-you-lose = You lose { $first }–{ $second }.
page-result-led = Well fought: you led until move { $move }.
page-result-name-wins = { $name } wins { $first }–{ $second }.
page-result-white-wins = White wins { $first }–{ $second }.
page-result-draw = A draw, { $first }–{ $second }.
page-result-scrapped = Scrapped.
page-why-full = The board is full.
page-why-no-moves = Neither side can move.
page-why-black-wiped-out = Black has no disc left.
page-why-white-wiped-out = White has no disc left.
page-why-you-wiped-out = You have no disc left.
page-why-black-resigned = Black resigned.
page-why-white-resigned = White resigned.
page-why-you-resigned = You resigned.
page-why-black-out-of-time = Black ran out of time.
page-why-white-out-of-time = White ran out of time.
page-why-you-out-of-time = You ran out of time.
page-why-black-late = Black had run out of time.
page-why-white-late = White had run out of time.
page-why-you-late = You had run out of time.
page-why-scrapped = It was ended before its time and has no result.
page-why-board = On the board { $first }–{ $second }.
page-why-empties-winner = On the board { $first }–{ $second }; { $empties ->
        [one] the empty square goes
       *[other] the { $empties } empty squares go
    } to the winner.
page-why-empties-shared = On the board { $first }–{ $second }; the { $empties } empty squares are shared.

# Questions
page-new-title = Start a new game?
page-stop-yes = Stop waiting
page-resign-title = Resign?

# Saving
page-save-title = Save the game

# Your games
page-study-title = Study
page-games-title = Your games
page-library-title = Library
page-card-move = Move { $move }

# Someone nearby
page-waiting-title = Waiting for the other player
page-watching = You are watching.
page-next-game = Next game

# How to play
page-how-title = How to play
page-learn-title = First lesson
page-exercises-title = Exercises
page-paste = Paste a game

# People
page-sign-in = Sign in
page-account = { $name }: your account
page-run-server = Running the server…

## Page: games, files and invitations

page-loading = One moment…
page-score = Score { $difference } (Black’s discs less White’s)
page-lag = The network’s delay was given back: Black { $black } s, White { $white } s.

# The list
page-delete-title = Delete this game?
page-delete-text = { $players } will be gone for good.
page-delete-cancel = Keep it
page-delete = Delete

# Files
page-transcript = Transcript
page-files = Files
page-file-text = Text
page-file-diagram = Diagram
page-games-none = No games yet. Everything you play is saved here by itself.
page-games-first = Play the first one
page-games-more = Show more
page-unreadable = A game that cannot be read
page-unreadable-text = It may be from a newer Outflank, or damaged.
page-filter = Which games
page-filter-all = All
page-filter-going = Going on
page-filter-over = Finished
page-filter-untouched = Not begun
page-games-none-here = No game of this kind.

# The waiting room
page-waiting-text = Scan this with a phone on the same network, or send the link.
page-waiting-qr = QR code of the link below
page-waiting-copy = Copy the link
page-waiting-another = Does not open? Try another address
page-waiting-no-invite = This game waits for a player who has its link.
page-door-text = Everyone on your network can then open this page and sit down at games they are invited to, until you close it.
page-door-setting = Other devices
page-door-is-open = Everyone on your network can open this page and sit down at games they are invited to, until you close it.
page-door-open = Open to my network
page-door-close = Keep other devices out
page-door-no-network = This computer is on no network that another device could share. Connect it to one, such as your Wi-Fi: the code then appears here by itself.
page-door-title = Let the other device in
page-door-no-network-title = No network
page-door-not-yours = No other device can open this page yet. Whoever is at the computer that runs Outflank can let them in.

# The invitation
page-join-title = { $name } invites you to a game
page-join-title-nobody = You are invited to a game
page-join-black = You play Black and begin.
page-join-white = You play White; Black begins.
page-join-balanced = It begins after eight given moves.
page-join = Join the game
page-time-none = No clock
page-time-sudden-death = { $minutes ->
        [one] 1 minute each
       *[other] { $minutes } minutes each
    }
page-time-fischer = { $minutes ->
        [one] 1 minute each
       *[other] { $minutes } minutes each
    }, and { $seconds ->
        [one] 1 second more with each move
       *[other] { $seconds } seconds more with each move
    }
page-time-byo-yomi = { $minutes ->
        [one] 1 minute each
       *[other] { $minutes } minutes each
    }, then { $periods ->
        [one] 1 period
       *[other] { $periods } periods
    } of { $seconds ->
        [one] 1 second
       *[other] { $seconds } seconds
    }

# Help and keys
page-help-rules = Place a disc so that discs of the other colour lie in a straight line between it and another disc of yours: they all turn. If you have no such move, your turn passes by itself. Whoever has more discs at the end wins.
page-help-more = How to play, with boards to try
page-keys-title = Keys
page-keys-move = From square to square, once you are on the board
page-keys-play = Play on the square
page-keys-jump = Onto the board, to square e6 (or press Tab)
page-keys-step = Step through the game
page-keys-ends = To the start, and back to the game
page-keys-live = Back to the game
page-keys-takeback = Take back
page-keys-hint = Hint
page-keys-new = New game
page-keys-mute = Sound on or off
page-keys-help = These keys

# Settings
page-set-language = Language
page-set-theme = Look
page-theme-system = Same as this device
page-theme-light = Light
page-theme-dark = Dark
page-theme-contrast = High contrast
page-set-board = Board
page-board-green = Green
page-board-slate = Slate
page-board-wood = Wood
page-board-contrast = High contrast
page-set-legal = Show where you can play
page-set-coordinates = Letters and numbers around the board
page-set-numbers = Move numbers on the discs
page-set-openings = Names of openings
page-set-sound = Sound
page-set-keys = Single-letter shortcuts
page-set-speed = How fast discs turn
page-speed-slow = Slow
page-speed-normal = Normal
page-speed-fast = Fast
page-speed-none = At once

# A new game, resigning
page-new-text = The game on the board will be scrapped. It stays in your list, without a result.
page-new-text-over = With the same players, colours and clock.
page-new-cancel = Keep playing
page-new-other = Other settings…
page-new-yes = Scrap it and start
page-new-yes-over = Start
page-new-text-ask = { $name } is asked first. If they agree, this game is scrapped: it stays in both lists, without a result.
page-new-text-leave = Hardly anything has been played, so you may leave without asking. For a new game { $name } is asked first.
page-new-text-over-ask = With the same players, colours and clock. { $name } is asked first.
page-new-ask = Ask for a new game
page-new-ask-scrap = Ask to scrap it
page-new-leave = Leave the game
page-stop-title = Stop waiting?
page-stop-text = The link stops working, and nobody can join this game any more.
page-stop-cancel = Keep waiting
page-resign-text = The game ends now, 64–0 for the other side.
page-resign-cancel = Keep playing
page-resign-black = Black resigns
page-resign-white = White resigns

## Page: how to play

page-how-lead = Two players, one board of 64 squares, discs that are black on one side and white on the other. Whoever has more discs of their colour at the end wins.
page-how-move-title = A move
page-how-start = The game starts with four discs in the middle: white on d4 and e5, black on d5 and e4. Black plays first, then the players take turns.
page-how-move = You place one disc on an empty square so that one or more of the opponent’s discs lie in a straight line between it and another disc of yours. That is called outflanking. The discs in between turn to your colour. A disc that lies on the board never moves to another square.
page-how-lines-title = All lines at once
page-how-lines = A line may run across, up and down, or diagonally. If your disc outflanks in several lines, the discs in all of them turn.
page-how-all = You cannot leave any of them unturned, and a turned disc does not outflank anything by itself: only the disc you placed does.
page-how-pass-title = No move? Pass
page-how-pass = If you cannot outflank anything, your turn passes by itself and the opponent plays again. You may not pass when you have a move.
page-how-end-title = The end
page-how-end = The game is over when the board is full, when one colour has no disc left, or when neither player can move.
page-how-score = The discs are counted, and more discs win. Empty squares go to the winner; in a draw each side gets half. The score of the game is Black’s discs less White’s.
page-how-names-title = The names of the squares
page-how-names = Columns are a to h from the left, rows 1 to 8 from the top. The top left corner is a1.
page-how-clock-title = With a clock
page-how-clock = In a tournament each player has the same time for all moves, usually thirty minutes. Whoever uses it up loses the game.
page-how-advice-title = Three hints to begin with
page-how-advice = A disc in a corner can never be turned: go for corners. Do not hurry to the squares next to an empty corner. Early on, few discs and many possible moves are better than many discs.
page-how-history-title = A little history
page-how-history-1 = Nobody knows for certain who thought of it first. In 1870 a game with discs that are turned over was sold in England; it was played on a board shaped like a cross.
page-how-history-2 = In the 1880s Reversi appeared in London on the square board of 8 by 8, and two inventors quarrelled in public over whose it was. It was played all over Europe; in those days the players placed the first four discs as they liked.
page-how-history-3 = In the 1970s the game came back from Japan with the fixed start used today, under the name Othello, and since 1977 there is a world championship. Computers have played better than people for decades, yet the game is as easy to learn and as hard to master as ever.
page-how-learn = On to the first lesson
page-how-play = Play
page-lesson-again = Again
page-lesson-slip = { $square } turns nothing here. Try a marked square.
page-lesson-first = Try the first move
page-lesson-first-try = Try it: you are Black. Point at a ring to see what would turn, then play there.
page-lesson-first-done = You outflanked one white disc and it turned. Now White would play.
page-lesson-lines = Try several lines
page-lesson-lines-try = Black to move. Play d6.
page-lesson-lines-done = Five discs turned in three lines. c6 stayed white: no black disc lies at its other end.
page-lesson-pass = Try a pass
page-lesson-pass-try = Black to move. Play c1.
page-lesson-pass-passed = White has no move. Black plays again: f4.
page-lesson-pass-done = White has no disc left: Black wins. With the empty squares it counts 64–0.
page-quiz-board = Find the square
page-quiz-ask = Find { $wanted }.
page-quiz-right = Right! Now find { $wanted }.
page-quiz-wrong = That is { $square }. Find { $wanted }.

## Reasons

# Why a move was bad: $move is that move, $best the better one, $a and $b are squares, $n and $m numbers.
reason-gave-corner = { $move } lets the opponent take the corner { $a }.
reason-opened-corner = { $move } is next to the corner { $b }, which the opponent then takes.
reason-no-safe-moves = After { $move } and the best answer only one safe move is left; after { $best } there would be { $m }.
reason-opened-wall = { $move } gives the opponent { $n } new moves, and one of them, { $b }, is strong.
reason-missed-quiet-move = { $best } opens nothing and leaves the opponent { $n ->
    [one] one safe move
   *[other] { $n } safe moves
}; { $move } leaves { $m }.
reason-gave-parity = { $move } goes first into a region of { $n } empty squares, where the opponent then has the last move.
reason-gave-stable-discs = { $move } lets the opponent have { $n } more discs that can never turn again.
reason-missed-pass = After { $best } the opponent soon has to pass.
reason-too-early = { $move } is the right square, but { $best } comes first.
reason-miscounted = Counted to the end, { $best } gives { $n } discs and { $move } only { $m }.

## Page: study

page-study-loading = One moment…
page-study-untitled = Untitled study
page-study-unreadable = A study that cannot be read
page-study-gone-title = This study is not here
page-study-gone-text = It was deleted, belongs to somebody else, or the link is incomplete. Your other studies are safe.

# The list
page-study-all = Your studies
page-study-paste = Paste a game or a position
page-study-paste-note = Moves such as f5d6c3, a board, GGF, SGF, text from another site, or a link.
page-study-open = Look at it
page-study-new = Empty board
page-study-moves = { $count ->
        [one] 1 move
       *[other] { $count } moves
    }
page-study-more = Show more
page-study-delete = Delete
page-study-delete-title = Delete this study?
page-study-delete-text = { $name } will be gone for good, with its variations and comments.
page-study-delete-cancel = Keep it
page-study-sample-title = Nothing here yet
page-study-sample-text = See with a sample game what a study shows: which move decided it, why, and what was better.
page-study-sample-open = Look at the sample

# The board
page-study-name = Name of the study
page-study-share = Share
page-study-panels = What stands below the board
page-study-panel-line = Engine
page-study-panel-review = Review
page-study-panel-moves = Moves
page-study-panel-graph = Graph
page-study-panel-tools = Tools
page-study-over = The game is over
page-study-not-legal = { $square } cannot be played here.
page-study-say-move = { $number }. { $color } { $square }.
page-study-square-value = worth { $value }
page-study-square-best = best
page-study-square-exact = proven
page-study-square-depth = { $depth ->
        [one] 1 move ahead
       *[other] { $depth } moves ahead
    }
page-study-square-percent = { $percent } % sure
page-study-square-spread = give or take { $discs }
page-study-square-book = in the book: { $value }
page-study-square-played = played in the game
page-study-bar-unknown = Who is ahead is not known yet.
page-study-bar-even = Nobody is ahead.
page-study-bar-ahead = { $color } is ahead by { $discs }.
page-study-graph = Who was ahead, move by move
page-study-graph-move = Move { $number } of { $moves }.

# The engine
page-study-engine-go = Let the engine search
page-study-engine-stop = Stop the engine
page-study-engine-off = The engine rests
page-study-engine-begins = One moment…
page-study-strength = How long to search
page-study-seconds = { $n ->
        [one] 1 second
       *[other] { $n } seconds
    }
page-study-minutes = { $n ->
        [one] 1 minute
       *[other] { $n } minutes
    }
page-study-until-stopped = Until I stop it
page-study-to-the-end = Solve to the end
page-study-threads = Threads
page-study-threads-count = { $n ->
        [one] 1 thread
       *[other] { $n } threads
    }
page-study-depth = Depth { $depth }
page-study-exact = Proven
page-study-nodes = { $nodes } positions, { $seconds } s
page-study-people = { $games ->
        [one] 1 game in the library
       *[other] { $count } games in the library
    }
page-study-people-won = Black won { $black } %, drawn { $draws } %, White won { $white } %
page-study-people-next = { $square }, { $games ->
        [one] played once
       *[other] played { $games } times
    }
page-study-book = Book
page-study-best-line = Best moves
page-study-line = The moves shown on the board
page-study-line-move = Move { $number }: { $square }

# The tree
page-study-tree = Moves and variations
page-study-tree-none = Play a move on the board. Each other move you try becomes a variation; nothing is lost.
page-study-comment = Comment on this position
page-study-comment-unsaved = Not saved yet.
page-study-comment-again = Save again

# Tools
page-study-changes = Changes
page-study-undo = Undo
page-study-redo = Redo
page-study-promote = Make this the main line
page-study-remove = Delete this move and what follows
page-study-position = Set up a position
page-study-random = Random position
page-study-marks = Draw on the board
page-study-mark-circle = Circle
page-study-mark-square = Square
page-study-mark-triangle = Triangle
page-study-mark-cross = Cross
page-study-mark-arrow = Arrow: press where it begins, then where it ends
page-study-mark-none = Wipe the board clean
page-study-overlay = Show
page-study-overlay-none = discs only
page-study-overlay-moves = both sides’ moves
page-study-overlay-frontier = discs beside empty squares
page-study-overlay-stable = discs that cannot turn
page-study-overlay-regions = empty regions, odd and even
page-study-values = Values on squares
page-study-brush = A press on a square puts
page-study-brush-turn = the next colour
page-study-brush-black = black
page-study-brush-white = white
page-study-brush-empty = nothing
page-study-whose-turn = To move
page-study-position-empty = Clear
page-study-position-start = Four discs
page-study-position-open = Study this position
page-study-position-no-disc = There is no disc on the board. Put some down first.
page-study-random-lead = A position nobody has chosen, about as good for Black as you say.
page-study-random-from = Black’s lead, at least
page-study-random-to = Black’s lead, at most
page-study-random-empties = Empty squares
page-study-random-go = Find one
page-study-random-looking = Looking…

# The review
page-study-review-title = What decided the game
page-study-review-lead = Every move is looked at, and every mistake twice, before it is called one.
page-study-review-go = Look at the game
page-study-review-wait = Looking at every move…
page-study-stage-first = First look
page-study-stage-deeper = Looking deeper
page-study-stage-reasons = Looking for reasons
page-study-stage-done = Done
page-study-stop = Stop
page-study-deeper = Look deeper
page-study-partial = { $seen } of { $all } moves looked at.
page-study-partial-deeper = Every move looked at once, not all of them again.
page-study-go-on = Go on
page-study-discs = { $count ->
        [one] 1 disc
       *[other] { $count } discs
    }
page-study-lost-win = Move { $number }, { $color }: { $square } lost { $discs } and the win.
page-study-lost-draw = Move { $number }, { $color }: { $square } lost { $discs } and the draw.
page-study-lost-lead = Move { $number }, { $color }: { $square } lost { $discs } and the lead.
page-study-lost-even = Move { $number }, { $color }: { $square } lost { $discs } and all of the lead.
page-study-lost-level = Move { $number }, { $color }: { $square } lost { $discs } in an even game.
page-study-lost-ahead = Move { $number }, { $color }: { $square } lost { $discs }, but not the lead.
page-study-perhaps = perhaps { $discs }; { $sure }
page-study-lost-perhaps = Move { $number }, { $color }: { $square } perhaps lost { $discs }.
page-study-lost-behind = Move { $number }, { $color }: { $square } lost { $discs } more, from behind.
page-study-class-good = good
page-study-class-best = best
page-study-class-inaccuracy = inaccuracy
page-study-class-mistake = mistake
page-study-class-blunder = blunder
page-study-turning-point = turning point
page-study-walk-count = { $index } of { $all }, worst first
page-study-why = Why?
page-study-better = What was better?
page-study-try = Try it yourself
page-study-what-happens = After { $square } the answer is { $reply }. Watch the board.
page-study-nothing-follows = { $square } ends the game.
page-study-better-text = { $square } keeps { $discs } more. Watch how it goes on.
page-study-add-line = Keep this line as a variation
page-study-keep = Make it an exercise
page-study-kept = An exercise now
page-study-walk-before = The one before
page-study-walk-next = Next
page-study-walk-settings = Whose moves, and what counts as a mistake
page-study-walk-again = Walk through it again
page-study-walk-leave = To the board
page-study-sides = Whose moves
page-study-both = Both
page-study-thresholds = What a move is called
page-study-upto-good = Good: loses at most
page-study-upto-inaccuracy = Inaccuracy: at most
page-study-upto-mistake = Mistake: at most
page-study-thresholds-note = In discs; whatever loses more is a blunder.
page-study-thresholds-usual = As usual
page-study-thresholds-use = Use these
page-study-try-title = Try it yourself
page-study-try-begin = { $color } to move: what would you play?
page-study-try-best = { $square }: nothing is better.
page-study-try-lost = { $square } costs { $discs }; { $best } was best.
page-study-try-unsure = { $square } perhaps costs { $discs } against { $best }; that is not sure.
page-study-try-back = Another try
page-study-try-open = Show the values
page-study-try-stop = Back to the review
page-study-try-exercise = Back to the exercises
page-study-end-title = That was the game
page-study-clean-title = No mistakes found
page-study-well-both = Black’s moves were good { $black } times out of { $blackmoves }, White’s { $white } out of { $whitemoves }.
page-study-well = { $color }’s moves were good { $best } times out of { $moves }.
page-study-praise-nothing-lost = { $color } lost nothing at all.
page-study-praise-little-lost = { $color } lost only { $discs } in the whole game.
page-study-praise-only = At move { $number } { $color } found { $square }, the only good move: any other loses { $discs } or more.
page-study-decided = It was decided at move { $number }: { $color } played { $square } and lost { $discs }.
page-study-decided-nothing = No single move decided it.
page-study-practise-opening = Most was lost in the opening: look at what is played there, and keep your discs few and your moves many.
page-study-practise-midgame = Most was lost in the middle: before each move, count how many moves it leaves the other side.
page-study-practise-ending = Most was lost at the end: practise the last ten squares, and count before you play.
page-study-practise-nothing = Nothing was lost that could be helped: play on!
page-study-haste = { $color }: { $quick ->
        [0] none
       *[other] { $quick }
    } of { $mistakes } mistakes took less than 5 seconds.
page-study-given = { $count ->
        [one] The first move was given and counts for nobody.
       *[other] The first { $count } moves were given and count for nobody.
    }
page-study-total = all
page-study-losses = Discs lost, by part of the game
page-study-counts = Moves that lost too much
page-study-count-inaccuracy = inaccuracies
page-study-count-mistake = mistakes
page-study-count-blunder = blunders
page-study-phase-opening = opening
page-study-phase-midgame = middle
page-study-phase-ending = end
page-study-thought = after { $seconds ->
        [one] 1 second
       *[other] { $seconds } seconds
    }

# Keys
page-study-keys-title = Keys
page-study-keys-jump = Onto the board, to square e6 (or press Tab)
page-study-keys-play = Play on the square
page-study-keys-help = These keys
page-study-keys-step = Step through the moves, or along the line shown
page-study-keys-beside = Other moves in this place
page-study-keys-ends = To the start, to the end
page-study-keys-pages = Step, also from the board
page-study-keys-engine = Engine on or off
page-study-keys-values = Values on squares
page-study-keys-why = Review; there: why?
page-study-keys-next = The next mistake
page-study-keys-try = Try it yourself
page-study-keys-undo = Undo
page-study-keys-redo = Redo
page-study-keys-remove = Delete this move and what follows
page-study-keys-escape = Back out of what is going on
page-study-keys-draw = With the right mouse button you draw circles and arrows; on a phone the tools do. A swipe across the board steps.

## Page: first lesson

page-learn-done = (done)
page-learn-again = Try again
page-learn-once-more = Once more
page-learn-next = Next
page-learn-play = Play a game
page-learn-proof = Every result here was counted to the end of the game by the computer.
page-learn-rules = The rules
page-learn-slip = { $square } turns nothing. Try a marked square.
page-learn-thinks = You turned { $count ->
        [one] one disc
       *[other] { $count } discs
    }. Now White…
page-learn-answered = White answers { $answer }.
page-learn-less = { $square } wins too, { $result }. But there is more: { $best }.
page-learn-lost = White answers { $answer }{ $corner ->
        [yes] {" "}and has the corner for good
       *[no] {""}
    }. If both play their best from here, White wins { $result }.

page-learn-corners = Corners
page-learn-corners-title = Corners stay yours
page-learn-corners-lead = A disc in a corner can never be turned: there is no square behind it. And what lies on the edge next to your own corner is safe as well.
page-learn-corners-1 = You are Black. h7 would turn six discs, but who gets the corner h8 then? Find the move that wins.
page-learn-corners-1-right = Yes. { $square } turns only one disc, but it lies beside your own corner: nobody can turn it any more. Whatever White does now, you can take a corner next.
page-learn-corners-2 = Now take what White had to leave to you.
page-learn-corners-2-right = The whole row from corner to corner is yours, for good. With best play you win { $result }.
page-learn-mobility = Mobility
page-learn-mobility-title = Leave the other nothing good
page-learn-mobility-lead = Nobody may pass while they have a move. Whoever runs out of good moves must play a bad one. So count the moves the other will have, not the discs you turn.
page-learn-mobility-1 = You are Black. e8 turns the most discs and leaves White six moves. Find the move that leaves White just one.
page-learn-mobility-1-right = Exactly. White has one move left, beside the corner a1, and has to play it. After anything else White would have played { $square }.
page-learn-mobility-2 = What does that give you?
page-learn-mobility-2-right = The corner, and White again has only one move. That is how games are won: with best play { $result }.
page-learn-quiet = Quiet
page-learn-quiet-title = Play quietly
page-learn-quiet-lead = Discs at the border to the empty squares are where the other finds moves. A quiet move turns few discs, deep inside, and opens nothing.
page-learn-quiet-1 = You are Black. b6 turns six discs and opens ten moves for White. Find the quiet move.
page-learn-quiet-1-right = Well seen. { $square } turns one disc, with no empty square around it. White gets no new move by it, and has to open the other side.
page-learn-quiet-2 = Go on like that: not b6, which turns nine.
page-learn-quiet-2-right = Few discs turned, few moves for White. With best play you win { $result }.

## Page: copying and sharing

page-copy = Copy
page-copied = Copied.
page-copy-by-hand = The text is selected: copy it with Ctrl+C, or by holding a finger on it.
page-share = Share

## Page: paste and share

page-paste-title = Paste a game or a position
page-paste-label = A transcript such as f5d6c3, a board, GGF, SGF, text from PlayOK, or a link.
page-paste-clipboard = From the clipboard
page-paste-by-hand = The browser does not let the page look at the clipboard. Hold a finger on the field, or press Ctrl+V in it.
page-paste-open = Open
page-paste-opened = Opened.
page-paste-empty = There is nothing in it.
page-paste-several = There are { $count } games in it.
page-paste-first = Open the first
page-paste-all = Add all to the library
page-paste-cancel = Cancel
page-paste-collection = This is a collection of games
page-paste-collection-text = The library can hold it: there every game can be searched and opened.
page-paste-not-yours = Only the owner of this server can add games to its library.
page-paste-not-added = The library did not take it. Nothing was changed.
page-paste-added = { $count ->
        [0] No new game
        [one] One game added
       *[other] { $count } games added
    }
page-paste-added-rest = { $already ->
        [0] None of them was there before.
        [one] One was there already.
       *[other] { $already } were there already.
    } { $rejected ->
        [0] All could be read.
        [one] One could not be read.
       *[other] { $rejected } could not be read.
    }
page-paste-library = To the library
page-link-title = A shared game
page-link-opening = One moment…
page-link-damaged = This link is damaged: a part of it is missing or was changed. Ask for it once more.
page-link-newer = This link was made by a newer Outflank. Open it where that runs.
page-link-start = To the start
page-share-title = Share
page-share-what = What to share
page-share-whole = All of it
page-share-position = This position
page-share-link = Link
page-share-note = Everything is in the link itself. It opens on any Outflank, and nothing is kept anywhere.
page-share-long = The link has { $count } characters. Some programs cut links that long; a file travels better.
page-share-too-long = That is too much for a link. Share the position, or a study with fewer variations.
page-share-copy = Copy the link
page-share-send = Send…
page-share-picture = Picture
page-share-file = File and text
page-share-moves = Moves
page-share-board = Board
page-share-file-note = SGF holds variations, comments and marks; GGF the game with its times.
page-share-failed = That did not work. Try again in a moment.

## Page: exercises

page-exercise-puzzles = Puzzles
page-exercise-puzzles-text = Endings in which one move wins, or one saves the draw.
page-exercise-midgames = Find the best move
page-exercise-midgames-text = Midgames in which one move is clearly better than the others.
page-exercise-endings = Win it from here
page-exercise-endings-text = Won endings. Play them to the end against perfect defence.
page-exercise-mistakes = Your mistakes
page-exercise-mistakes-text = Positions from your own games, again until the right move comes by itself.
page-exercise-mistakes-none = Nothing yet. Review one of your games and keep what you would like to do better.
page-exercise-openings = Openings
page-exercise-openings-text = Play one side from the start. The answers are what people play, where the library has enough games, and the book’s where it has not.
page-exercise-to-study = To the study
page-exercise-level = How hard
page-exercise-any = Any
page-exercise-side = Your side
page-exercise-begin = Practise
page-exercise-repeat = Repeat
page-exercise-due-count = { $count } to repeat
page-exercise-new-count = { $count } new
page-exercise-known-count = { $count } remembered
page-exercise-days = The last two weeks
page-exercise-day = Today: { $answered ->
        [0] nothing yet: one is enough to keep going.
        [one] one answer, { $right ->
            [0] which was wrong.
           *[other] which was right.
        }
       *[other] { $answered } answers, { $right } of them right.
    }
page-exercise-back = All exercises
page-exercise-failed = The exercises could not be read. Nothing is lost.
page-exercise-retry = Try again
page-exercise-grade = Grade { $level }
page-exercise-task-best-move = { $color } to move. Find the best move.
page-exercise-task-only-win = { $color } to move. One move wins: which?
page-exercise-task-only-draw = { $color } to move. One move saves the draw: which?
page-exercise-task-play-out = { $color } to move, and winning. Win it to the end.
page-exercise-task-repertoire = { $color } to move. What do you play here?
page-exercise-reply-people = { $square } is what people play.
page-exercise-reply-book = { $square } is from the book.
page-exercise-defence = The best defence is { $square }.
page-exercise-still = You are still winning.
page-exercise-slip = { $square } turns nothing. Try another square.
page-exercise-right = Yes!
page-exercise-wins = { $square } wins { $result }.
page-exercise-draws = { $square } draws { $result }.
page-exercise-loses = { $square } loses { $result }.
page-exercise-estimate = { $square } is worth about { $value }.
page-exercise-better = Better:
page-exercise-played = In the game { $square } was played.
page-exercise-book-right = Yes, { $square } is the best move.
page-exercise-book-equal = Yes, { $square } is as good as { $best }.
page-exercise-book-playable = { $square } can be played, but { $best } is better.
page-exercise-book-mistake = { $square } is a mistake: it loses about { $count } discs. { $best } is better.
page-exercise-worth = worth { $value }
page-exercise-again = Comes again { $when }
page-exercise-today = later today
page-exercise-next = Next
page-exercise-play = Play it out
page-exercise-study = In the study
page-exercise-follows = What follows { $square }
page-exercise-line = The line with { $square }
page-exercise-forget = Not again
page-exercise-none = That is all for now.
page-exercise-next-due = The next one comes { $when }.
page-exercise-line-ends = This line has left the book.
page-exercise-another = Another line
page-exercise-theme-corner-refused = A corner is better left
page-exercise-theme-corner-given = A corner is given up
page-exercise-theme-x-square = Diagonally beside a corner
page-exercise-theme-c-square = On the edge beside a corner
page-exercise-theme-pass = The other must pass
page-exercise-theme-quiet = A quiet move
page-exercise-theme-parity = The last move in a region

## Page: levels

page-strength-newcomer = Grabs as many discs as it can. Let it: only the discs at the end count.
page-strength-beginner = Plays almost anything. Take a corner when you can: a disc there is never turned back.
page-strength-learner = Knows good moves and often forgets them. Keep off the squares beside an empty corner, and it will hand you the corner.
page-strength-easy = Likes corners too, but slips often. Early on, few discs and many moves to choose from beat many discs.
page-strength-casual = Plays sensibly more often than not. Leave it few moves, and it will have to make a bad one.
page-strength-regular = Seldom gives a corner away, but does not think of your answer. Think of its answer, and you are ahead.
page-strength-keen = Thinks of your answer to each move, and still slips now and then. Wait for the slip and keep the corner it leaves.
page-strength-steady = Slips less, and plays the last ten squares without a mistake. Be ahead before then.
page-strength-club = Makes small mistakes only. It takes a plan for the edges, not just for the corners.
page-strength-sharp = Hardly ever slips, and plays the last twelve squares without a mistake. It still sees no further than your answer.
page-strength-strong = Looks three moves ahead. It takes quiet moves that leave it nothing safe to play.
page-strength-tournament = Looks four moves ahead and is never careless: every mistake of yours counts.
page-strength-champion = Looks five moves ahead, and plays the last fourteen squares without a mistake. It takes study.
page-strength-expert = Looks six moves ahead, and plays the last sixteen squares without a mistake. A close game is a good game.
page-strength-master = Looks eight moves ahead. Expect to lose, and to learn from where.
page-strength-grandmaster = Looks ten moves ahead, and plays the last eighteen squares without a mistake. A draw is a triumph.
page-strength-superhuman = Looks fourteen moves ahead, and plays the last twenty squares without a mistake. “Perfect” still beats it, by about 4 discs.
page-strength-perfect = Looks up to twenty-two moves ahead, and plays the last twenty-six squares without a mistake. Nothing here is stronger.

## Page: game cards

page-mark-won = Won
page-mark-lost = Lost
page-mark-draw = Draw

## Page: people

# Names, ratings, clocks
page-people-guest = Guest
page-rating = Rating
page-rating-games = Games
page-ratings = Ratings
page-ratings-none = No rated game yet.
page-provisional = A question mark: the rating rests on few games and still moves quickly.
page-rated = rated
page-casual = casual
page-rated-switch = Rated game
page-rated-note = It counts for both ratings. No takebacks, no pause.
page-rated-link-note = Whoever opens the link needs an account.
page-rated-needs-clock = A rated game needs a clock: choose one above.
page-pace-none = no clock
page-pace-minutes = { $minutes } min
page-pace-plus = { $minutes } min + { $seconds } s
page-pace-periods = { $minutes } min + { $periods } × { $seconds } s
page-pace-days = { $days ->
        [one] 1 day a move
       *[other] { $days } days a move
    }
page-speed-of = Speed
page-speed-of-blitz = Blitz
page-speed-of-rapid = Rapid
page-speed-of-slow = Slow
page-speed-of-correspondence = Correspondence
page-category-balanced = { $speed }, balanced opening

# Play someone
page-quick = Play someone
page-quick-blitz = 3 + 2
page-quick-rapid = 10 min
page-quick-slow = 20 min
page-quick-correspondence = 3 days
page-quick-balanced = Balanced opening
page-quick-looking = Looking for an opponent…
page-quick-stop = Stop
page-quick-meanwhile = Stay on this page or play the computer meanwhile: you are taken to the game as soon as somebody comes.
page-quick-guest = As a guest you play casual games. With an account they can be rated.
page-quick-lobby = { $offers ->
        [0] Lobby
        [one] Lobby: 1 open offer
       *[other] Lobby: { $offers } open offers
    }
page-lobby-count = { $players ->
        [one] 1 person here
       *[other] { $players } people here
    }, { $games ->
        [one] 1 game
       *[other] { $games } games
    }
page-paired = Your game begins.
page-begun = A game by correspondence has begun.
page-begun-go = Go to the game
page-begun-later = Later
page-people-offer-lost = The connection was lost, and your offer with it. Make it again if you still want to play.
page-admin-owner = owner

# Lobby
page-lobby-title = Lobby
page-lobby-closed = There is no lobby on this server. Whoever runs it can open one.
page-lobby-empty = Nobody is waiting just now.
page-lobby-empty-help = Press a speed, or make an offer: you are called when somebody comes. Play the computer meanwhile.
page-proposal-make = Make an offer
page-proposal-take = Play
page-proposal-withdraw = Withdraw
page-proposal-yours = Your offer
page-proposal-to = Your challenge to { $name }
page-proposal-gone = gone
page-proposal-balanced = balanced opening
page-proposal-black = you play Black
page-proposal-white = you play White
page-proposal-toss = a toss for colours
page-proposal-title = Make an offer
page-proposal-time = Time
page-proposal-time-minutes = Minutes
page-proposal-time-days = Days
page-proposal-field-minutes = Minutes for each player
page-proposal-field-increment = Seconds added by each move
page-proposal-field-days = Days for each move
page-proposal-field-from = Rating from
page-proposal-field-upTo = Rating up to
page-proposal-number = Please enter a number from { $low } to { $high }.
page-proposal-range = Only for certain ratings

# Challenges
page-challenge = Challenge
page-challenge-title = Challenge { $name }
page-challenge-sent = { $name } has been asked. You are called when they accept.
page-challenge-from = { $name } challenges you
page-challenge-declined = { $name } declines your challenge.
page-challenge-accept = Accept
page-challenge-decline = Decline
page-challenges = Challenges
page-challenged = { $name } challenges you: { $terms }

# A person
page-person-online = here now
page-person-since = Here since { $date }
page-person-games = Games
page-person-games-none = No games with other people yet.
page-person-more = Show more
page-block = Block
page-unblock = Unblock
page-blocked-note = You have blocked this person: neither of you sees the other’s offers, and they cannot challenge you.
page-results = Results
page-results-color-black = As Black
page-results-color-white = As White
page-results-opening-standard = Standard opening
page-results-opening-balanced = Balanced opening
page-results-speed-blitz = Blitz
page-results-speed-rapid = Rapid
page-results-speed-slow = Slow
page-results-speed-correspondence = Correspondence
page-results-speed-none = Without clock
page-won = Won
page-drawn = Drawn
page-lost-games = Lost

# The best
page-leaders-title = Leaderboard
page-leaders-place = Place
page-leaders-name = Name
page-leaders-none = Nobody has a firm rating here yet. It takes a few rated games.

# Account
page-account-title = Account
page-account-lead = You need no account to play. With one, your games and ratings follow you to every device.
page-account-games = Ratings and games
page-sign-up = New account
page-sign-make = Make the account
page-sign-recover = Recover the account
page-sign-out = Sign out
page-sign-forgot = Forgot your password?
page-sign-back = Back to signing in
page-sign-busy = One moment…
page-sign-claim = The games you have played in this browser come along.
page-handle = Name
page-handle-note = 3 to 20 letters without accents, digits, - or _, beginning with a letter.
page-password = Password
page-password-note = At least 10 characters. A few words are better than one.
page-password-show = Show the password
page-password-old = Old password
page-password-new = New password
page-password-change = Change the password
page-password-changed = The password is changed. Other devices have been signed out, and tokens of programs have ended.
page-code = Recovery code
page-sessions = Signed in on
page-session-here = here
page-session-end = Sign out there
page-session-unknown = An unknown browser
page-recovery = Recovery codes
page-recovery-text = A code lets you in when you have forgotten your password; each is good once. New codes make the old ones worthless.
page-recovery-new = New codes
page-once-recovery = Keep these codes
page-once-recovery-text = Each lets you in once if you forget your password. They are shown only now: there is no e-mail and no other way back.
page-once-token = Keep this token
page-once-token-text = It is shown only now. Whoever has it can act for you; end it here if it is lost.
page-once-reset = Hand this code over
page-once-reset-text = It lets this person in once, to choose a new password. It is shown only now.
page-codes-copy = Copy
page-codes-save = Save as a file
page-codes-done = Done
page-tokens = Programs
page-tokens-text = A token lets a program in under your name.
page-token-name = What it is for
page-token-name-wrong = Please give it a name, so that you know it again.
page-token-scope = It may
page-token-play = play games
page-token-read = only look
page-token-make = Make a token
page-token-end = End
page-token-unused = not used yet
page-bot-is = A program plays from this account. Everyone sees that.
page-bot-text = If a program plays from this account, say so before its first rated game. It cannot be undone.
page-bot-title = Does a program play from here?
page-bot-become = A program plays here

# Passkeys
page-passkeys = Passkeys
page-passkeys-text = A passkey on your phone, computer or security key signs you in without a name and a password. Your password stays good too.
page-passkeys-not-here = Passkeys need https and a name: they cannot be made while this page is open by http or by the number of a machine. At this machine, open it as localhost.
page-passkey-add = Add a passkey
page-passkey-added = The passkey is made. You can sign in with it now.
page-passkey-remove = Remove
page-passkey-removed = The passkey is removed here. Your device may still offer it: you can delete it there.
page-passkey-made = made { $when }
page-passkey-seen = last used { $when }
page-passkey-unseen = not used yet
page-passkey-site = for { $site }
page-passkey-sign-in = Sign in with a passkey
page-people-wrong-passkey = This passkey does not let you in here. Sign in with your name and password.
page-people-passkey-late = That took too long. Please try again.
page-people-passkey-stopped = No passkey was used: it was called off, or there is none here. Please try again, or use your password.
page-people-has-passkey = This device has a passkey for your account already.
page-people-too-many-passkeys = An account has at most 20 passkeys. Remove one first.
page-people-no-passkeys-here = Passkeys need https and a name, or localhost.

# Running the server
page-admin-title = Running the server
page-admin-not-yours = Only the owner of this server can do this. Open the owner’s link, which is printed where the server was started.
page-admin-doors = Open to others
page-admin-lobby = Lobby
page-admin-lobby-note = Whoever reaches this server can look for games with strangers. Without it the start page is that of one household.
page-admin-registration = New accounts
page-admin-registration-note = Whether anybody may make one. Those that are there stay.
page-admin-announce = Announcement
page-admin-announce-text = What everybody is told
page-admin-announce-note = Up to 280 characters. Empty, nothing is shown.
page-admin-announce-save = Announce
page-admin-saved = Saved.
page-admin-people = Accounts
page-admin-find = Name, or a part of it
page-admin-nobody = Nobody of that name.
page-admin-suspend = Suspend
page-admin-suspend-title = Suspend { $name }?
page-admin-suspend-text = They are signed out everywhere and cannot sign in until you restore the account. Their games stay.
page-admin-restore = Restore
page-admin-reset = Reset
page-admin-reset-title = Reset the password of { $name }?
page-admin-reset-text = They are signed out everywhere, and their old password is worthless. You get a code to hand over.
page-admin-audit = What was done
page-admin-audit-none = Nothing yet.
page-suspended = suspended
page-fair-play = Fair play
page-fair-games = Rated games in the last { $days } days: { $games }, of them won: { $won }
page-fair-most = Most often against { $name }: { $games } ({ $percent }), of them won: { $won }
page-fair-early = Before move 20 given up: { $resigned }, lost on time or by leaving: { $left }
page-fair-aborted = Broken off before they had begun: { $games }
page-fair-compare = Compare with the engine
page-fair-progress = { $games } of { $of } games compared
page-fair-stop = Stop
page-fair-others = Opponents
page-fair-moves = Moves compared
page-fair-loss = Discs lost per move
page-fair-best = Best moves
page-fair-ending = Best moves in endings
page-fair-game = { $loss } discs lost per move, { $best } best; the opponent { $otherloss }, { $otherbest }
page-fair-note = These figures are a sign to be looked at, never proof. Moves of the opening book, and those with little to choose, are left out. Strong players agree with the engine often, and everyone does against weak play.
page-fair-version = Compared by Outflank { $version }.
page-people-comparing = Another comparison is under way: stop it, or wait for it.
page-admin-end-owner = Sign out the owner’s other browsers
page-admin-end-owner-note = If a browser is lost, or somebody else saw the owner’s link: this signs the owner out everywhere but here, and the link is good no more. The server prints a new one when it is started again.
page-admin-end-owner-done = This is the owner’s only browser now, and the printed link is good no more.
page-deed-end-owner = Signed out the owner’s other browsers and ended the owner’s link
page-deed-registration-opened = New accounts allowed
page-deed-registration-closed = New accounts closed
page-deed-lobby-opened = Lobby opened
page-deed-lobby-closed = Lobby closed
page-deed-announce = Announced: { $text }
page-deed-announce-nothing = Announcement removed
page-deed-unknown = Something this version does not know
page-deed-suspend = Suspended { $name }
page-deed-restore = Restored { $name }
page-deed-reset = Reset the password of { $name }

# Why not
page-people-failed = That did not work, and nothing was changed. Try again in a moment.
page-people-away = The server cannot be reached. What you typed is still here; try again in a moment.
page-people-bad-handle = A name has 3 to 20 letters without accents, digits, - or _, and begins with a letter.
page-people-handle-taken = Somebody has this name already. Try another.
page-people-no-password = Please type the password.
page-people-wrong-password = This name and this password do not belong together.
page-people-wrong-old-password = This is not your password.
page-people-registration-closed = No new accounts are made here at the moment.
page-people-suspended = This account is suspended. Ask whoever runs the server.
page-people-bad-password-length = A password has 10 to 128 characters.
page-people-common-password = Many people have this password, or it is too easily guessed. Take a few words.
page-people-wrong-code = This name and this code do not belong together, or the code has been used.
page-people-not-signed-in = You are not signed in any more.
page-people-not-owner = Only the owner of this server can do this, at the machine or by the owner’s link.
page-people-not-by-token = The owner’s account has no tokens: make another account for a program.
page-people-has-account = You are signed in already.
page-people-rated-already = A person has played rated games under this name. Make another account for the program.
page-people-started-so = The server was started so that this cannot be changed while it runs.
page-people-bad-announcement = An announcement has up to 280 visible characters.
page-people-bad-name = Please use 1 to 24 visible characters.
page-people-busy = Many people are signing in just now. Try again in a moment.
page-people-lobby-closed = The lobby is closed.
page-people-no-such-offer = Somebody was faster, or the offer was withdrawn.
page-people-no-such-person = There is nobody of this name here.
page-people-needs-account = Rated games, challenges and games by correspondence need an account: sign in, or play a casual game now.
page-people-not-for-you = This offer is for players with other ratings.
page-people-not-wanted = You two do not play each other.

## Page: library
page-library-loading = One moment…
page-library-size =
    { $games ->
        [one] { $games } game
       *[other] { $games } games
    }, { $players ->
        [one] { $players } player
       *[other] { $players } players
    }, { $tournaments ->
        [one] { $tournaments } tournament
       *[other] { $tournaments } tournaments
    }
page-library-not-yours = This library belongs to the owner of the server.
page-library-unreadable = The library cannot be read just now. Nothing in it was changed.
page-library-bad-moves = These moves cannot be played: the address is not right.
page-library-empty = A library of games
page-library-empty-what = Put in games that others have played, and see for any position what was played there, how often, and how it went. Every game opens in the study.
page-library-empty-where = A good beginning is WTHOR, the French federation’s database of tournament games: drop its files here together, those with the names (.JOU, .TRN) too. The games you finish here join by themselves.

# Adding
page-library-add = Add games
page-library-files = Files of games
page-library-drop = Drop files here
page-library-choose = Choose files
page-library-formats = WTHOR, PGN, GGF, SGF, transcripts; packed (.zip, .gz) or not
page-library-paste = Or paste games as text
page-library-add-text = Add this text
page-library-adding = Adding games
page-library-added =
    { $added ->
        [one] { $added } game added
       *[other] { $added } games added
    }, { $there } already there, { $refused } not taken.
page-library-not-added = Nothing was added: the server did not take it. It may be too much at once.
page-library-failed = It ended early: the library could not be written. What was added before stays.

# Position
page-library-position = Position
page-library-start = Start
page-library-back = One move back
page-library-line-played = Moves so far
page-library-next = What was played here
page-library-move = Move
page-library-games = Games
page-library-went = Result
page-library-average = Average
page-library-average-note = Black’s discs less White’s, on average
page-library-all = All
page-library-outcome = Black won { $black } %, drawn { $draws } %, White won { $white } %

# Searching
page-library-search = Search
page-library-player = Player
page-library-tournament = Tournament
page-library-from = From year
page-library-to = To year
page-library-result = Result
page-library-result-any = Any
page-library-result-black = Black won
page-library-result-white = White won
page-library-result-draw = Draw
page-library-found-title = Games that were found
page-library-found =
    { $games ->
        [one] { $games } game
       *[other] { $games } games
    }
page-library-none = No game like that is in the library.
page-library-more = Show more
page-library-unknown = Unknown
page-library-export = Save these as

# Keeping
page-library-sources = Where the games came from
page-library-own = My finished games join the library
page-library-own-games = Games played here
page-library-pasted = Pasted text
page-library-remove = Remove this game
page-library-remove-text = { $players } leaves the library. The file it came from stays as it is.
page-library-remove-all = Remove these games
page-library-remove-all-text = All games from { $source } leave the library. The file itself stays as it is.
page-library-keep = Keep

## Page: playing people

# Games by correspondence
page-clock-kind-per-move = Days for each move
page-clock-field-days = Days for each move
page-clock-field-days-wrong = Please enter a whole number of days from { $low } to { $high }.
page-card-until = move by { $when }

# Whoever plays, if it is a program
page-bot = Computer

# A first move that is waited for
page-first-move-you = Make your first move within { $seconds } s, or the game ends without a result.
page-first-move-they = { $name } has { $seconds } s for the first move.

# A player who left
page-claim-soon = { $name } has left. You can claim the game in { $seconds } s.
page-claim-now = { $name } has left. Claim the game, call it a draw, or wait.
page-claim-win = Claim the win
page-claim-draw = Call it a draw
page-claim = The other player has left
page-abort = Abort
page-result-aborted = No result.
page-why-black-aborted = Black did not play it.
page-why-white-aborted = White did not play it.
page-why-you-aborted = You did not play it.
page-why-black-left = Black left the game.
page-why-white-left = White left the game.
page-why-you-left = You left the game.

# A pause
page-offer-pause = { $name } asks for a pause.
page-offer-resume = { $name } wants to go on.
page-offer-yours-pause = You asked { $name } for a pause.
page-offer-yours-resume = You asked { $name } to go on.
page-remark-paused = The game is paused. No clock runs.
page-remark-resumed = The game goes on.
page-resume = Go on

# A move chosen in advance
page-premove = Not yet: it is { $color }’s turn. Your move { $square } waits.
page-premove-cancelled = Your move { $square } is taken back.
page-premove-illegal = { $square } cannot be played now.
page-square-premove = your next move

# Those who watch
page-watchers = { $count ->
        [one] 1 person watches
       *[other] { $count } people watch
    }

# What players say to each other
page-talk = Say
page-talk-said = What was said
page-said = { $name }: { $phrase }
page-phrase-hello = Hello!
page-phrase-good-luck = Good luck!
page-phrase-well-played = Well played!
page-phrase-thanks = Thank you.
page-phrase-sorry = Sorry.
page-phrase-one-moment = One moment, please.
page-phrase-good-game = Good game!
page-phrase-that-was-close = That was close!

# Why something of this is not done
page-refused-rated = This is a rated game: it is played to its end.
page-refused-too-late-to-abort = The game has begun. You can resign.
page-refused-no-claim = This game cannot be claimed.
page-refused-not-away-yet = The other player was there a moment ago.
page-refused-paused = The game is paused.
page-refused-nothing-to-pause = There is nothing to pause or to go on with.
page-refused-said-enough = You have said enough for now.

# Being told that it is one’s turn
page-turn-notice = Your turn
page-turn-notice-text = against { $name }

## Page: talk, watching and notices

page-talk-title = Say something
page-join-rated = It counts for the players’ ratings.
page-talk-note = Everyone reads these in their own language. Those who watch read them when the game is over.
page-talk-show = Show what the other player says
page-talk-pause = Ask for a pause
page-talk-pause-alone = Pause
page-watch-link = Link for watching
page-watch-link-note = Whoever has it sees the game and cannot play.
page-set-notify = Tell me when it is my turn
page-set-notify-note = Only while a page of Outflank is open somewhere in this browser.
page-set-notify-blocked = This browser does not allow it.
page-time-per-move = { $days ->
        [one] 1 day for each move
       *[other] { $days } days for each move
    }

## Command line: load, bot and moving data

# outflank load, and what it shares with outflank bot
cli-help-value-url = URL
cli-help-value-milliseconds = MILLISECONDS
cli-help-value-log = LOG
cli-help-load = Play many games over real connections against a server of your own, and say how fast it was
cli-help-load-server = Where the server is, such as http://127.0.0.1:8464 or https://club.example; given several times, its nodes, of which the two players of a game use different ones
cli-help-load-games = How many games at a time, each between two guests; 50 if not given
cli-help-load-seconds = For how long; 10 seconds if not given
cli-help-load-think = How long the players think about a move in the mean; they do not if not given
cli-help-load-log = Write what each player was told into this file, for --check
cli-help-load-yes_this_is_my_server = Load a server that is not on this machine
cli-help-load-check = Instead: compare such a file with the games that a server has kept; exit code 1 if anything is missing, doubled or in another order
cli-help-load-data = The folder of that server's games; the server has to be stopped
cli-help-load-database = The database of those games, such as postgres://name@host/database; servers may go on
cli-help-load-json = Answer in JSON, for programs
cli-load-stopped = no work can be done: { $reason }
cli-load-no-server = say which server with --server
cli-load-no-data = say where the games are with --data or --database
cli-load-not-here = { $address } is not on this machine; if it is your server, add --yes-this-is-my-server
cli-error-unreachable = { $address } cannot be reached: { $reason }
cli-load-unwritable = cannot write { $path }: { $reason }
cli-load-bad-line = { $path }, line { $line }: not written by outflank load
cli-load-result = { $acknowledged } moves acknowledged in { $games } games, { $rate } a second; half of them within { $p50 } ms, 99 % within { $p99 } ms; { $errors } errors
cli-load-waited = The server put clients off { $times ->
    [one] once
   *[other] { $times } times
} before it began another game.
cli-load-trouble = { $times } × { $what }
cli-load-checked = { $acknowledged } acknowledged moves and what { $observers } players saw in { $games } games compared with what is kept: { $faults ->
    [0] all is there, once and in order
    [one] one fault
   *[other] { $faults } faults
}
cli-load-no-game = { $game }: the game is not there
cli-load-lost = { $game }: { $square } was acknowledged as entry { $seq } and is not there
cli-load-twice = { $game }: the command { $id } is there more than once
cli-load-order = { $game }: { $client } was told of entry { $seq } after a later one
cli-load-saw = { $game }: { $client } saw another move { $number } than is kept
cli-load-unrated = { $game }: the game was rated and has changed no rating
cli-load-rating = { $of }: the rating is not what its games have made of it

# Moving everything to another kind of database
cli-help-move-data = Move everything from a data folder into a PostgreSQL database, or back; no server runs meanwhile
cli-help-move-data-from = Where everything is: a data folder, or postgres://name:password@host:port/database
cli-help-move-data-to = Where it goes: a folder or a database in which there is nothing yet
cli-error-data-unreachable = { $place } cannot be used: { $reason }
cli-move-data-done = Moved { $rows } rows and compared every one of them. What they were moved from is as it was.
cli-move-data-nothing = there are no games to move in { $place }
cli-move-data-not-empty = { $place } is not empty; nothing was moved
cli-move-data-different = the copy of the table { $table } is not the same; nothing was moved
cli-move-data-failed = nothing was moved: { $reason }
cli-move-data-interrupted = Interrupted. Nothing was moved; you can begin again.

# outflank bot
cli-help-value-token = TOKEN
cli-help-value-command = COMMAND
cli-help-value-protocol = PROTOCOL
cli-help-value-link = LINK
cli-help-bot = Play on a server with our engine, or with another one
cli-help-bot-server = Where the server is, such as http://127.0.0.1:8464 or https://club.example
cli-help-bot-token = The token of the account that plays; also by the variable OUTFLANK_TOKEN, which others on this machine do not see
cli-help-bot-level = How strong it plays, by number or name; as strong as it can if not given
cli-help-bot-engine = Let this program play instead
cli-help-bot-protocol = What that program speaks: gtp, as if not given, or nboard
cli-help-bot-minutes = Offer games with so many minutes for each player; 5 if not given
cli-help-bot-increment = And so many seconds more with each move
cli-help-bot-casual = Offer games that do not count for ratings
cli-help-bot-games = Stop after so many games; plays on and on if not given
cli-help-bot-join = Take the seat of this link of invitation, play that game and stop
cli-help-bot-name = What it is called there
cli-help-bot-hash = Megabytes to remember positions; 64 if not given
cli-bot-ready = Connected to { $address }; Ctrl-C lets the game end that is being played, twice ends at once
cli-bot-ready-as = Connected to { $address } as { $name }; Ctrl-C lets the game end that is being played, twice ends at once
cli-bot-waits = Waiting for an opponent
cli-bot-game = Game { $game }, playing { $color ->
    [black] Black
    [white] White
   *[other] both sides
}
cli-bot-over = Game { $game } is over: { $difference ->
    [0] a draw
   *[other] { $difference } discs
}
cli-bot-lost = the connection to { $address } is lost ({ $reason }); trying again
cli-bot-later = The server says: { $text } ({ $why }); trying again
cli-bot-refused = the server refused: { $text } ({ $why })
cli-bot-persons-account = { $name } is a person’s account, and a program plays no rated games from one: press “A program plays here” on the account’s page, or play with --casual
cli-bot-bad-link = { $link } is no link of invitation
cli-bot-no-engine = say which program with --engine
cli-bot-trouble = the engine cannot go on: { $why }; the game is where it was, on the server
