### Todo lo que dice Outflank, en español. Los mismos mensajes, con las mismas variables, están en los demás archivos.
### `cli-` lo dice la línea de órdenes, `play-` el juego en el terminal, `page-` la página; lo demás, todos.

## Shared

black = Negras
white = Blancas

## Command line

cli-usage = Uso:
cli-usage-line = outflank [OPCIONES] [ORDEN]
cli-usage-options = [OPCIONES]
cli-commands = Órdenes
cli-arguments = Argumentos
cli-options = Opciones

cli-help = Reversi para todos: jugarlo, pensarlo, estudiarlo, alojarlo
cli-help-lang = Idioma de los mensajes: en o es; si no se indica, el del entorno (LC_ALL, LC_MESSAGES, LANG)
cli-help-help = Mostrar esta ayuda
cli-help-version = Mostrar la versión
cli-help-perft = Contar todas las líneas de juego desde el inicio, con N jugadas de profundidad; un pase es una jugada
cli-help-perft-depth = Profundidad, de 0 a 20
cli-help-perft-threads = Repartir el trabajo entre N hilos; 1 si no se indica
cli-help-perft-json = Responder en JSON, para programas
cli-help-completions = Mostrar lo que un intérprete de órdenes necesita para completar estas órdenes
cli-help-completions-shell = bash, elvish, fish, powershell o zsh
cli-help-man = Mostrar la página de manual

cli-perft-done = perft { $depth }: { $nodes } en { NUMBER($seconds, minimumFractionDigits: 3) } s, { $rate } millones por segundo, { $threads ->
        [one] un hilo
       *[other] { $threads } hilos
    }

cli-error-stdout = no se puede escribir en la salida estándar: { $reason }
cli-error-command = no existe la orden { $name }; `outflank --help` las enumera
cli-error-unknown = aquí no existe la opción o el argumento { $arg }; `--help` enumera los que hay
cli-error-no-value = { $arg } necesita un valor
cli-error-value = { $value } no es un valor para { $arg }: { $help }
cli-error-missing = falta algo: { $arg }
cli-error-conflict = { $arg } no puede ir junto con { $other }
cli-reason-not-found = no existe ese archivo o carpeta
cli-reason-denied = permiso denegado
cli-reason-directory = es una carpeta
cli-reason-not-a-directory = una parte de la ruta no es una carpeta
cli-reason-read-only = el disco es de solo lectura
cli-reason-full = el disco está lleno

## Terminal

## Page
