### Every word Outflank says, in English. The same messages, with the same variables, are in the other files here.
### `cli-` is said by the command line, `play-` by the game in the terminal, `page-` by the page; the rest by all.

## Shared

black = Black
white = White

## Command line

cli-usage = Usage:
cli-usage-line = outflank [OPTIONS] [COMMAND]
cli-usage-options = [OPTIONS]
cli-commands = Commands
cli-arguments = Arguments
cli-options = Options

cli-help = Reversi for everyone: play it, think about it, study it, host it
cli-help-lang = Language of the messages: en or es; otherwise that of the environment (LC_ALL, LC_MESSAGES, LANG)
cli-help-help = Show this help
cli-help-version = Show the version
cli-help-perft = Count every line of play from the start, N plies deep; a pass is a ply
cli-help-perft-depth = How deep, 0 to 20
cli-help-perft-threads = Share the work among N threads; 1 if not given
cli-help-perft-json = Answer as JSON, for programs
cli-help-completions = Print what a shell needs to complete these commands
cli-help-completions-shell = bash, elvish, fish, powershell or zsh
cli-help-man = Print the manual page

cli-perft-done = perft { $depth }: { $nodes } in { NUMBER($seconds, minimumFractionDigits: 3) } s, { $rate } million a second, { $threads ->
        [one] one thread
       *[other] { $threads } threads
    }

cli-error-stdout = cannot write to standard output: { $reason }
cli-error-command = there is no command { $name }; `outflank --help` lists them
cli-error-unknown = there is no option or argument { $arg } here; `--help` lists what there is
cli-error-no-value = { $arg } needs a value
cli-error-value = { $value } is no value for { $arg }: { $help }
cli-error-missing = something is missing: { $arg }
cli-error-conflict = { $arg } cannot go together with { $other }
cli-reason-not-found = there is no such file or folder
cli-reason-denied = permission denied
cli-reason-directory = it is a folder
cli-reason-not-a-directory = a part of the path is not a folder
cli-reason-read-only = the disk is read-only
cli-reason-full = the disk is full

## Terminal

## Page
