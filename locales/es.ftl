### Todo lo que dice Outflank, en español. Los mismos mensajes, con las mismas variables, están en los demás archivos.
### `cli-` lo dice la línea de órdenes, `play-` el juego en el terminal, `page-` la página; lo demás, todos.

## Shared

black = Negro
white = Blanco
player-1 = Jugador 1
player-2 = Jugador 2
player-you = Tú

## Command line

cli-usage = Uso:
cli-usage-line = outflank [OPCIONES] [ORDEN]
cli-usage-options = [OPCIONES]
cli-commands = Órdenes
cli-arguments = Argumentos
cli-options = Opciones
cli-man-name = NOMBRE
cli-man-synopsis = SINOPSIS
cli-man-exit = Estado de salida
cli-man-exit-codes = 0 si todo fue bien; 2, con una frase en la salida de errores, si algo no se pudo leer, escribir o entender, o si una partida de un archivo no es legal; 1 si un resultado no es el conocido o falló un jugador de un encuentro; 130 si se interrumpió.

cli-help = Reversi para todos: jugarlo, pensarlo, estudiarlo, alojarlo
cli-help-lang = Idioma de los mensajes: en o es; si no se indica, el del entorno (LC_ALL, LC_MESSAGES, LANG)
cli-help-help = Mostrar esta ayuda
cli-help-version = Mostrar la versión
# What stands for a value in the help
cli-help-value-language = IDIOMA
cli-help-value-address-port = DIRECCIÓN:PUERTO
cli-help-value-address = DIRECCIÓN
cli-help-value-folder = CARPETA
cli-help-value-name = NOMBRE
cli-help-value-level = NIVEL
cli-help-value-colour = COLOR
cli-help-value-rules = REGLAS
cli-help-value-minutes = MINUTOS
cli-help-value-seconds = SEGUNDOS
cli-help-value-opening = APERTURA
cli-help-value-game = PARTIDA
cli-help-value-games = PARTIDAS
cli-help-value-moves = JUGADAS
cli-help-value-n = N
cli-help-value-mb = MB
cli-help-value-file = ARCHIVO
cli-help-value-from = DESDE
cli-help-value-to = HASTA
cli-help-value-format = FORMATO
cli-help-value-a = A
cli-help-value-b = B
cli-help-value-plies = JUGADAS
cli-help-value-elo = ELO
cli-help-value-discs = FICHAS
cli-help-value-discs-discs-discs = FICHAS,FICHAS,FICHAS
cli-help-value-depth = PROFUNDIDAD
cli-help-value-shell = SHELL
cli-help-value-years = AÑOS
cli-help-value-result = RESULTADO

# Commands and their options
cli-help-show = Mostrar una partida o una posición: del texto dado, de un archivo o, con -, de la entrada estándar
cli-help-show-game = Jugadas (f5d6c3), un tablero de 64 casillas y quién juega, un archivo o -
cli-help-show-at = Mostrar el tablero tras ese número de jugadas
cli-help-show-number = Qué partida del archivo, desde 1; la primera si no se indica
cli-help-show-svg = Dibujar en este archivo: las jugadas numeradas de una partida o, con --at, el tablero
cli-help-show-print = Dibujar en negro sobre blanco, para papel
cli-help-show-json = Responder en JSON, para programas
cli-help-convert = Escribir las partidas de un archivo en otro formato
cli-help-convert-from = Un archivo de partidas o posiciones, comprimido (.gz, .zip) o no; jugadas (f5d6c3); un tablero y quién juega; o - para la entrada estándar
cli-help-convert-into = El archivo que se escribe, o - para la salida estándar; su extensión indica el formato
cli-help-convert-to = El formato, sea cual sea la extensión: txt, pgn, ggf, sgf, wtb, obf, board o svg
cli-help-convert-force = Reemplazar los archivos de nombres (.jou, .trn) que ya estén junto a un archivo .wtb
cli-help-convert-json = Responder en JSON, para programas
cli-help-import = Comprobar partidas: leer archivos de cualquier formato, reproducir cada partida y comparar su resultado
cli-help-import-check = Lo mismo que sin ella: decir qué partidas son legales y qué tienen de malo las demás
cli-help-import-json = Responder en JSON, para programas
cli-help-import-files = Archivos de partidas o posiciones, comprimidos (.gz, .zip) o no, o - para la entrada estándar
cli-help-library = Guardar muchas partidas y buscar entre ellas: por posición, jugador, torneo, año o resultado
cli-help-library-data = La carpeta de la biblioteca; si no se indica, el lugar habitual para los datos de un programa
cli-help-library-json = Responder en JSON, para programas
cli-help-library-add = Añadir partidas; las que ya están se reconocen
cli-help-library-add-files = Archivos de partidas de cualquier formato, comprimidos (.gz, .zip) o no, o - para la entrada estándar
cli-help-library-add-data = La carpeta de la biblioteca; si no se indica, el lugar habitual para los datos de un programa
cli-help-library-add-json = Responder en JSON, para programas
cli-help-library-find = Buscar partidas y decir cómo acabaron y qué se jugó después
cli-help-library-find-position = Las partidas que llegan a esta posición, vista desde cualquier lado: jugadas (f5d6c3), un tablero de 64 casillas y quién juega, un archivo o -
cli-help-library-find-player = Parte del nombre de un jugador, con cualquier color
cli-help-library-find-black = Parte del nombre de quien lleva negras
cli-help-library-find-white = Parte del nombre de quien lleva blancas
cli-help-library-find-tournament = Parte del nombre del torneo
cli-help-library-find-year = Un año o varios: 2004, 1990..1999, 2010.., ..1985
cli-help-library-find-result = Quién ganó: black (negras), white (blancas) o draw (empate)
cli-help-library-find-data = La carpeta de la biblioteca; si no se indica, el lugar habitual para los datos de un programa
cli-help-library-find-json = Responder en JSON, para programas
cli-help-library-export = Escribir partidas de la biblioteca en un archivo, en cualquier formato
cli-help-library-export-into = El archivo que se escribe, o - para la salida estándar; su extensión indica el formato
cli-help-library-export-to = El formato, sea cual sea la extensión: txt, pgn, ggf, sgf, wtb, obf, board o svg
cli-help-library-export-force = Reemplazar un archivo que ya exista
cli-help-library-export-position = Las partidas que llegan a esta posición, vista desde cualquier lado: jugadas (f5d6c3), un tablero de 64 casillas y quién juega, un archivo o -
cli-help-library-export-player = Parte del nombre de un jugador, con cualquier color
cli-help-library-export-black = Parte del nombre de quien lleva negras
cli-help-library-export-white = Parte del nombre de quien lleva blancas
cli-help-library-export-tournament = Parte del nombre del torneo
cli-help-library-export-year = Un año o varios: 2004, 1990..1999, 2010.., ..1985
cli-help-library-export-result = Quién ganó: black (negras), white (blancas) o draw (empate)
cli-help-library-export-data = La carpeta de la biblioteca; si no se indica, el lugar habitual para los datos de un programa
cli-help-library-export-json = Responder en JSON, para programas
cli-help-library-remove = Quitar partidas de la biblioteca
cli-help-library-remove-numbers = Los números de las partidas, como los muestra `library find`
cli-help-library-remove-from = Todas las partidas que vinieron del archivo con este nombre
cli-help-library-remove-data = La carpeta de la biblioteca; si no se indica, el lugar habitual para los datos de un programa
cli-help-library-remove-json = Responder en JSON, para programas
cli-help-library-backup = Copiar en un solo archivo todo lo que hay en la carpeta de datos, partidas y biblioteca; también con un servidor en marcha
cli-help-library-backup-into = El archivo que se escribe
cli-help-library-backup-force = Reemplazar un archivo que ya exista
cli-help-library-backup-data = La carpeta de datos; si no se indica, el lugar habitual para los datos de un programa
cli-help-library-backup-json = Responder en JSON, para programas
cli-help-library-restore = Recuperar lo que copió `library backup`
cli-help-library-restore-from = El archivo que se escribió entonces
cli-help-library-restore-force = Reemplazar las partidas y la biblioteca que haya
cli-help-library-restore-data = La carpeta de datos; si no se indica, el lugar habitual para los datos de un programa
cli-help-library-restore-json = Responder en JSON, para programas
cli-help-book = Lo que sabe el libro de aperturas, y más si se le pide
cli-help-book-show = Lo que vale una posición y qué jugadas tiene allí el libro
cli-help-book-show-game = Jugadas (f5d6c3), un tablero de 64 casillas y quién juega, un archivo o -; si no se indica, la primera posición
cli-help-book-show-data = La carpeta con lo añadido; si no se indica, el lugar habitual para los datos de un programa
cli-help-book-show-json = Responder en JSON, para programas
cli-help-book-add = Calcular las jugadas de una línea y las que la siguen, guardarlas junto a las partidas y llevar sus valores hacia atrás
cli-help-book-add-game = Jugadas (f5d6c3), un tablero de 64 casillas y quién juega, un archivo o -
cli-help-book-add-depth = Jugadas que se calculan desde cada posición añadida; 18 si no se indica
cli-help-book-add-threads = Buscar con N hilos; 1 si no se indica
cli-help-book-add-hash = Megabytes de memoria para recordar posiciones; 128 si no se indica
cli-help-book-add-data = La carpeta donde guardarlas; si no se indica, el lugar habitual para los datos de un programa
cli-help-book-add-json = Responder en JSON, para programas
cli-help-solve = Hallar el resultado exacto de cada posición de un archivo, y el mejor juego hasta el final
cli-help-solve-file = Posiciones, una por línea, como en los archivos de prueba de Edax (OBF); o partidas: de cada una, la última posición; o jugadas, un tablero y quién juega, o - para la entrada estándar
cli-help-solve-threads = Buscar con N hilos; 1 si no se indica
cli-help-solve-from = Empezar por esta posición, contando desde 1
cli-help-solve-to = Terminar con esta posición
cli-help-solve-hash = Megabytes de memoria para recordar posiciones; 512 si no se indica
cli-help-solve-weights = Usar la evaluación de este archivo en lugar de la del programa
cli-help-solve-json = Responder en JSON, un objeto por línea, para programas
cli-help-bench = Medir este equipo: contar posiciones, resolver FFO 40-49, calcular jugadas
cli-help-bench-signature = Mostrar solo cuántas posiciones visita un pequeño conjunto fijo de búsquedas: cambia cuando cambia la búsqueda
cli-help-bench-threads = Medir con N hilos; 1 si no se indica
cli-help-bench-hash = Megabytes de memoria para recordar posiciones; 512 si no se indica
cli-help-bench-depth = Jugadas que se calculan en el medio juego, de 1 a 30; 16 si no se indica
cli-help-bench-json = Responder en JSON, para programas
cli-help-analyse = Decir qué piensa el motor de una posición, o qué costó cada jugada de una partida o de todas las de un archivo
cli-help-analyse-game = Jugadas (f5d6c3), un tablero de 64 casillas y quién juega, un archivo o -
cli-help-analyse-at = Solo la posición tras ese número de jugadas de la partida
cli-help-analyse-number = Solo esta partida del archivo, contando desde 1; si no se indica, todas
cli-help-analyse-depth = Jugadas que se calculan; si no se indica, 20 en una posición y 14 en una partida
cli-help-analyse-time = Segundos para pensar; en una partida, en cada jugada
cli-help-analyse-lines = Cuántas de las mejores jugadas se muestran; 1 si no se indica
cli-help-analyse-threads = Buscar con N hilos; 1 si no se indica
cli-help-analyse-hash = Megabytes de memoria para recordar posiciones; 128 si no se indica
cli-help-analyse-json = Responder en JSON, un objeto por línea, para programas
cli-help-review = Mirar cada jugada de una partida: qué perdió, cuáles fueron errores y por qué, qué decidió la partida
cli-help-review-game = Jugadas (f5d6c3), un archivo de partidas o - para la entrada estándar
cli-help-review-number = Esta partida del archivo, contando desde 1; si no se indica, la primera
cli-help-review-depth = Jugadas que se calculan, y hasta el final desde cuatro más; 20 si no se indica
cli-help-review-seconds = Parar tras estos segundos con lo que se sepa hasta entonces
cli-help-review-threads = Buscar en N posiciones a la vez; tantas como núcleos si no se indica
cli-help-review-hash = Megabytes de memoria para recordar posiciones; 128 si no se indica
cli-help-review-thresholds = Lo máximo que pierden, en fichas, una buena jugada, una imprecisión y un error; 1,3,8 si no se indica
cli-help-review-html = Escribir una página que se abre en cualquier parte: tablero, gráfico, jugadas y razones
cli-help-review-sgf = Escribir la partida con valores y razones como comentarios y las líneas mejores como variantes
cli-help-review-audit = En su lugar: cuántas veces se equivoca una primera revisión de tantas partidas del archivo, comparada con resolver las últimas 22 casillas
cli-help-review-json = Responder en JSON, para programas
cli-help-match = Jugar muchas partidas entre dos jugadores y decir qué demuestran
cli-help-match-first = Un jugador: level:5, depth:8 o time:0.1 (segundos por jugada), cada uno con @ARCHIVO si no usa los pesos del programa; mobility, random, gtp:ORDEN o nboard/PROFUNDIDAD:ORDEN
cli-help-match-second = El otro jugador, escrito del mismo modo
cli-help-match-games = Cuántas partidas; cada apertura se juega dos veces con los colores cambiados; 100 si no se indica
cli-help-match-openings = Aperturas de este archivo, una por línea; si no se indica, las que trae el programa
cli-help-match-random = Empezar en su lugar con ese número de jugadas al azar
cli-help-match-time_per_move = Segundos por jugada; quien tarda más pierde
cli-help-match-time_per_game = Segundos de cada jugador para toda la partida
cli-help-match-parallel = Jugar N partidas a la vez; 1 si no se indica
cli-help-match-hash = Megabytes de memoria de cada jugador nuestro; 16 si no se indica
cli-help-match-log = Escribir cada partida en este archivo, y seguir con el encuentro que contenga
cli-help-match-sprt = Terminar cuando quede demostrado que A supera a B en el segundo número de puntos Elo, o solo en el primero
cli-help-match-seed = Decide el orden de las aperturas y la suerte de los niveles descuidados; 1 si no se indica
cli-help-match-json = Responder en JSON, para programas
cli-help-openings = Hacer una lista de aperturas en las que ningún bando está mejor
cli-help-openings-count = Cuántas; 400 si no se indica
cli-help-openings-plies = Jugadas de cada una; 8 si no se indica
cli-help-openings-depth = Jugadas que se calculan desde su final; 12 si no se indica
cli-help-openings-most = Ventaja máxima en fichas de cualquiera de los bandos; 2 si no se indica
cli-help-openings-seed = Otra semilla da otra lista; 1 si no se indica
cli-help-openings-out = Escribir en este archivo; si no se indica, en la salida estándar
cli-help-openings-json = Responder en JSON, un objeto por línea, para programas
cli-help-gtp = Servir de motor a programas que hablan GTP, por la entrada y la salida estándar
cli-help-gtp-level = Fuerza, de 1 a 18 o por su nombre; si no se indica, casi la mayor, o la que permita el reloj
cli-help-gtp-threads = Buscar con N hilos; 1 si no se indica
cli-help-gtp-hash = Megabytes de memoria para recordar posiciones; 128 si no se indica
cli-help-gtp-seed = Con la misma semilla, los niveles descuidados juegan igual; si no se indica, cada vez una distinta
cli-help-nboard = Servir de motor a NBoard y a programas que hablan su protocolo, por la entrada y la salida estándar
cli-help-nboard-threads = Buscar con N hilos; 1 si no se indica
cli-help-nboard-hash = Megabytes de memoria para recordar posiciones; 128 si no se indica
cli-help-perft = Contar todas las líneas de juego, con N jugadas de profundidad, desde el inicio o desde una posición; un pase es una jugada
cli-help-perft-depth = Profundidad, de 0 a 20
cli-help-perft-from = Contar desde aquí: jugadas (f5d6c3), un tablero de 64 casillas y quién juega, un archivo o -; si no se indica, el inicio
cli-help-perft-threads = Repartir el trabajo entre N hilos; 1 si no se indica
cli-help-perft-json = Responder en JSON, para programas
cli-help-completions = Mostrar lo que un intérprete de órdenes necesita para completar estas órdenes
cli-help-completions-shell = bash, elvish, fish, powershell o zsh
cli-help-man = Mostrar la página de manual

cli-perft-done = perft { $depth }: { $nodes } en { NUMBER($seconds, minimumFractionDigits: 3) } s, { $rate } millones por segundo, { $threads ->
        [one] un hilo
       *[other] { $threads } hilos
    }

cli-solve-columns = n.º|vacías|result.|jugada|nodos|segundos|nodos/s
cli-solve-line = línea
cli-solve-wrong = MAL: lo correcto es { $score }
cli-solve-none = no tiene ninguna posición con ese número
cli-solve-weights = { $path } no contiene ninguna evaluación: { $why }
cli-solve-total = { $solved ->
        [one] { $solved } posición
       *[other] { $solved } posiciones
    }: { $nodes } nodos en { NUMBER($seconds, minimumFractionDigits: 2) } s, { $rate }/s
cli-solve-total-wrong = { $wrong } MAL
cli-bench-machine = { $cpu }, rutinas { $kernel }, { $threads ->
        [one] un hilo
       *[other] { $threads } hilos
    }
cli-bench-perft = perft { $depth }: { $leaves } en { NUMBER($seconds, minimumFractionDigits: 2) } s, { $rate }/s
cli-bench-ffo = FFO 40-49: { $nodes } nodos en { NUMBER($seconds, minimumFractionDigits: 2) } s, { $rate }/s
cli-bench-columns = jugadas|vacías|result.|jugada|nodos|segundos|nodos/s
cli-bench-midgame = medio juego, profundidad { $depth }: { $nodes } nodos en { NUMBER($seconds, minimumFractionDigits: 2) } s, { $rate }/s

cli-analyse-columns = prof.|result.|nodos|segundos|línea
cli-analyse-game-columns = n.º||casilla|result.|pierde|mejor|prof.|línea
cli-analyse-game = Partida { $number }  { $title }
cli-analyse-total = Fichas perdidas: negras { $black }, blancas { $white }. Errores de cuatro fichas o más: negras { $blackmistakes }, blancas { $whitemistakes }.

cli-review-no-moves = no hay jugadas que revisar: es una posición
cli-review-nothing-bad = Ninguna jugada fue con seguridad un error.
cli-review-better = Mejor: { $line }
cli-review-better-line = Esto era mejor.
cli-review-perhaps = Jugada { $number }, { $color }: { $square } quizá perdió { $discs } (probabilidad del { $percent } %).
cli-review-total = Negro perdió { $black } (apertura { $blackopening }, medio juego { $blackmidgame }, final { $blackending }); Blanco, { $white } (apertura { $whiteopening }, medio juego { $whitemidgame }, final { $whiteending }).
cli-review-decided = Se decidió con la jugada { $number }, { $color } { $square }: la última que con seguridad cambió quién gana.
cli-review-decided-nothing = Ninguna jugada por sí sola cambió con seguridad quién gana.
cli-review-decided-unknown = Aún no se sabe qué decidió la partida: no se miraron todas sus jugadas.
cli-review-done = { $moves } de { $all } jugadas, { $seconds } s.
cli-review-audit = { $games } partidas, { $moves } jugadas con { $empties } casillas vacías como mucho. Llamadas error o algo peor: { $accused }, de las que { $refuted } no lo son ({ $unsolved } se llamaron así antes de resolverlas). Errores o algo peor: { $mistakes }, de los que { $missed } no se llamaron así.
cli-review-page-language = es
cli-review-page-title = Una partida revisada
cli-review-page-first = Al principio
cli-review-page-back = Atrás
cli-review-page-next = Adelante
cli-review-page-last = Al final
cli-review-page-moves = Todas las jugadas
cli-review-page-game = Volver a la partida

# por qué fue mala una jugada; $move es esa jugada, $best la mejor, $a y $b casillas, $n y $m números
cli-match-result = A contra B: { $wins } ganadas, { $draws } empatadas, { $losses } perdidas; { NUMBER($points, minimumFractionDigits: 1) } % de los puntos, { $discs } fichas por partida
cli-match-elo = Con un 95 % de certeza, entre el { NUMBER($worst, minimumFractionDigits: 1) } y el { NUMBER($best, minimumFractionDigits: 1) } % de los puntos; Elo { $elo }, entre { $low } y { $high }
cli-match-proven = Demostrado: A es más fuerte en esa medida (logaritmo de la razón de verosimilitud: { $ratio }).
cli-match-refuted = Refutado: A no es más fuerte en esa medida (logaritmo de la razón de verosimilitud: { $ratio }).
cli-match-undecided = Sin decidir (logaritmo de la razón de verosimilitud: { $ratio }; deciden 2,94 y -2,94).
cli-match-resumed = el archivo ya tiene { $games ->
        [one] una partida
       *[other] { $games } partidas
    } de este encuentro; se sigue desde ahí
cli-match-other = { $path } contiene otro encuentro: elige otro archivo, o los mismos jugadores, aperturas, tiempos y semilla
cli-match-no-openings = { $path } no contiene ninguna apertura
cli-openings-none = no se encontró ninguna apertura así: permite más jugadas (--plies) o más fichas (--most)
cli-openings-few = { $found ->
        [one] solo se encontró una apertura así
       *[other] solo se encontraron { $found } aperturas así
    }, no { $wanted }
cli-match-trouble = partida { $game }: pierde { $who }, { $why }
cli-match-troubled = { $games ->
        [one] { $who } perdió una de { $of } partidas sin jugarla hasta el final
       *[other] { $who } perdió { $games } de { $of } partidas sin jugarlas hasta el final
    }, { $why }
cli-match-not-started = porque su orden no se puede ejecutar: { $why }
cli-match-crashed = porque terminó en mitad de la partida
cli-match-hung = porque no responde
cli-match-answer = porque responde «{ $answer }»
cli-match-illegal = porque { $square } no es una jugada legal
cli-match-time = porque se le acabó el tiempo
cli-match-no-move = porque no encontró ninguna jugada

cli-import-done =
    { $games ->
        [one] { $games } partida
       *[other] { $games } partidas
    }, { $legal } { $legal ->
        [one] legal
       *[other] legales
    }, { $rejected } { $rejected ->
        [one] rechazada
       *[other] rechazadas
    }
cli-library-empty = la biblioteca está vacía; añade partidas con: outflank library add ARCHIVOS
cli-library-size =
    { $games ->
        [one] { $games } partida
       *[other] { $games } partidas
    }, { $players ->
        [one] { $players } jugador
       *[other] { $players } jugadores
    }, { $tournaments ->
        [one] { $tournaments } torneo
       *[other] { $tournaments } torneos
    }, { $megabytes } MB
cli-library-years = De { $from } a { $to }
cli-library-added =
    { $added ->
        [one] { $added } partida añadida
       *[other] { $added } partidas añadidas
    }, { $there } ya { $there ->
        [one] estaba
       *[other] estaban
    }, { $rejected } { $rejected ->
        [one] rechazada
       *[other] rechazadas
    }, en { $seconds } segundos
cli-library-none = no hay ninguna partida así en la biblioteca
cli-library-columns = sigue | partidas | negras | empates | blancas | media
cli-library-more =
    { $more ->
        [one] y { $more } más
       *[other] y { $more } más
    }
cli-library-exported =
    { $games ->
        [one] { $games } partida
       *[other] { $games } partidas
    } en { $path }
cli-library-there = { $path } ya existe; con --force se reemplaza
cli-library-removed =
    { $games ->
        [one] { $games } partida quitada
       *[other] { $games } partidas quitadas
    }
cli-library-no-source = ninguna partida de la biblioteca viene de { $name }
cli-library-no-number = la biblioteca no tiene partidas con esos números
cli-book-unknown = el libro no tiene esta posición; añádela con: outflank book add JUGADAS
cli-book-columns = jugada | valor | profundidad | líneas
cli-book-added =
    { $positions ->
        [one] { $positions } posición añadida
       *[other] { $positions } posiciones añadidas
    }, a { $depth } jugadas de profundidad; un servidor en marcha las conocerá cuando vuelva a arrancar
cli-book-damaged = { $path } no es un libro de aperturas; nada ha cambiado
cli-backup-nothing = en { $path } no hay nada que copiar
cli-backup-done = todo está en { $path }; guárdalo donde solo tú puedas leerlo
cli-backup-foreign = { $path } no es una copia completa; no se ha cambiado nada
cli-restore-done = todo ha vuelto a { $folder }
cli-rejected = { $file }, partida { $game }, { $place }: { $why }
cli-rejected-file = { $file }: { $why }
cli-place-line = línea { $line }
cli-place-byte = byte { $byte }
cli-convert-no-format = el nombre { $path } no indica un formato: ponle una extensión (txt, pgn, ggf, sgf, wtb, obf, board, svg) o usa --to
cli-convert-names-there = { $path } ya existe y puede contener los nombres de otras partidas: elige otro nombre o usa --force para reemplazarlo
cli-convert-warned = { $sentence }; la partida se escribe tal como está
cli-lost =
    { $format } no conserva { $what } de { $games ->
        [one] una partida
       *[other] { $games } partidas
    }
cli-lost-moves = las jugadas
cli-lost-variations = las variantes
cli-lost-comments = los comentarios, o parte de ellos,
cli-lost-evaluations = las evaluaciones de las jugadas
cli-lost-seconds = el tiempo empleado en cada jugada
cli-lost-players = los nombres completos de los jugadores
cli-lost-ratings = la puntuación de los jugadores
cli-lost-event = el nombre completo del torneo
cli-lost-site = el lugar
cli-lost-date = la fecha completa
cli-lost-round = la ronda
cli-lost-clock = el ritmo de juego
cli-lost-result = el resultado, o que no lo hay,
cli-lost-ending = cómo se llegó al resultado (abandono, tiempo, acuerdo)
cli-lost-theory = el resultado teórico
cli-lost-known = los resultados conocidos de las jugadas
cli-lost-properties = otras propiedades
cli-lost-orientation = la orientación del tablero (la primera jugada pasa a ser f5)
cli-show-nothing = { $name } no es un archivo, ni una partida o posición
cli-show-no-game =
    { $file } tiene { $count ->
        [one] una partida
       *[other] { $count } partidas
    }; no hay partida { $wanted }
cli-show-no-ply = la partida tiene { $played ->
        [one] una jugada
       *[other] { $played } jugadas
    }; no hay tablero tras { $at }
cli-show-last = jugada { $count }: { $square }
cli-show-black-moves = Juegan negras, { $black }-{ $white }
cli-show-white-moves = Juegan blancas, { $black }-{ $white }
cli-show-known = Se sabe: { $moves }
cli-show-black-wins = Ganan negras { $score }
cli-show-white-wins = Ganan blancas { $score }
cli-show-draw = Empate, { $score }

cli-error-read = no se puede leer { $path }: { $reason }
cli-error-write = no se puede escribir { $path }: { $reason }
cli-error-stdout = no se puede escribir en la salida estándar: { $reason }
cli-error-command = no existe la orden { $name }; `outflank --help` las enumera
cli-error-unknown = aquí no existe la opción o el argumento { $arg }; `--help` enumera los que hay
cli-error-no-value = { $arg } necesita un valor
cli-error-value = { $value } no es un valor para { $arg }: { $help }
cli-error-range = { $value } está fuera de lo que admite { $arg }: de { $low } a { $high }
cli-error-least = { $value } está fuera de lo que admite { $arg }: { $low } o más
cli-error-missing = falta algo: { $arg }
cli-error-conflict = { $arg } no puede ir junto con { $other }
cli-error-utf8 = algo de lo escrito no es texto (UTF-8); solo los nombres de archivo pueden ser así
cli-reason-not-found = no existe ese archivo o carpeta
cli-reason-denied = permiso denegado
cli-reason-directory = es una carpeta
cli-reason-not-a-directory = una parte de la ruta no es una carpeta
cli-reason-read-only = el disco es de solo lectura
cli-reason-full = el disco está lleno
cli-reason-unknown-issuer = nadie en quien confíe este equipo firmó su certificado
cli-reason-other-name = su certificado es para otro nombre
cli-reason-expired = su certificado ha caducado
cli-reason-not-encrypted = no se pudo cifrar la conexión: { $reason }

cli-unwritable-start = una partida no empieza en la posición inicial habitual, y { $format } no puede decirlo
cli-unwritable-moves = { $format } contiene posiciones, y hay una partida con jugadas
cli-unwritable-one = { $format } contiene una sola partida, y hay varias
cli-unwritable-names = hay más nombres de los que un archivo WTHOR puede numerar

# outflank serve
cli-help-serve = Iniciar el juego en un navegador; es también lo que hace `outflank` a secas
cli-help-serve-listen = Dónde escuchar; si no se indica, 127.0.0.1:8464, adonde solo llega este ordenador
cli-help-serve-data = La carpeta de las partidas; si no se indica, el lugar habitual para los datos de un programa
cli-help-serve-database = La base de datos PostgreSQL que guarda las partidas en lugar de la carpeta, como postgres://nombre:clave@equipo/base; lo que diga OUTFLANK_DATABASE si no se indica
cli-help-serve-bus = El servidor NATS por el que se oyen varios nodos que sirven una misma base de datos, como nats://equipo:4222; lo que diga OUTFLANK_BUS si no se indica
cli-help-serve-lan = Dejar entrar desde el principio a móviles y ordenadores de esta red, y mostrar la dirección como código QR; también se puede hacer luego en la página
cli-help-serve-network = Una dirección de este ordenador a la que llegan otros dispositivos, en vez de las que encuentre; se puede repetir
cli-help-serve-no_open = No abrir el navegador
cli-help-serve-host = Un nombre con el que se llega al servidor además de sus direcciones, como club.example, o https://club.example si un proxy añade el cifrado; se puede repetir. Entonces solo es propietario quien abre el enlace que se muestra al iniciar
cli-help-serve-behind_proxy = La dirección, o el rango de direcciones, de un proxy al que se cree cuando dice por quién pregunta (X-Forwarded-For); se puede repetir. Entonces solo es propietario quien abre el enlace que se muestra al iniciar
cli-help-serve-open_metrics = Dejar que cualquiera lea /metrics, no solo el propietario
cli-help-serve-open_library = Permitir que todos busquen en la biblioteca, no solo el dueño
cli-help-serve-open_lobby = Abrir la sala, donde se encuentra la gente con cuenta y sin ella; el dueño también puede abrirla con el servidor en marcha
cli-help-serve-no_registration = No permitir que nadie abra una cuenta, decida lo que decida el dueño con el servidor en marcha
cli-help-serve-connections = Como mucho tantas conexiones a la vez, de 64 a 1000000 y hasta donde permita el sistema; si no se indica, 4000
cli-help-serve-per_address = Como mucho tantas de ellas desde una misma dirección de la red; si no se indica, 256
cli-help-serve-log = Qué se escribe en la salida de error: off (nada), error, warn (avisos), info o debug; si no se indica, warn o lo que diga OUTFLANK_LOG
cli-help-play = Jugar en el terminal: dos personas, o una contra el ordenador
cli-help-play-black = Cómo se llama Negro
cli-help-play-white = Cómo se llama Blanco
cli-help-play-level = Jugar contra el ordenador en este nivel, de 1 a 18 o por su nombre
cli-help-play-color = Tu color contra el ordenador: black (negro) o white (blanco); si no se indica, negro
cli-help-play-toss = Sortear los colores
cli-help-play-rules = casual (sin reloj), club (20 minutos), thirty (30 minutos: quien agota su tiempo pierde 64–0), tournament (torneo: 30 minutos y la regla de los dos minutos) o japan (Japón: 20 minutos); si no se indica, casual
cli-help-play-minutes = Minutos en cada reloj, de 1 a 1440, en lugar de los del reglamento
cli-help-play-increment = Segundos que añade cada jugada, de 0 a 3600
cli-help-play-opening = standard (la normal) o balanced (equilibrada: ocho jugadas ya hechas, tras las que nadie va por delante); si no se indica, standard
cli-help-play-resume = Seguir con la última partida sin terminar
cli-help-play-game = Seguir con esta partida: su identificador es el final de su dirección en la página
cli-help-play-plain = Líneas de texto, para lectores de pantalla y tuberías
cli-help-play-data = La carpeta de las partidas; si no se indica, el lugar habitual para los datos de un programa
cli-serve-ready = Outflank está listo: { $address }
cli-serve-saved = Las partidas se guardan en { $folder }. Ctrl-C detiene el servidor; no se pierde ninguna.
cli-serve-owner = Eres el propietario en cada navegador en el que abras { $address } (no lo compartas; cambia en cada inicio)
cli-serve-lan = En otro dispositivo de esta red, escanea esto o escribe { $address }
cli-serve-no-lan = Este ordenador no tiene ninguna dirección de red que otros dispositivos puedan usar; podrán entrar en cuanto la tenga.
cli-serve-stopped = Detenido. Todas las partidas están guardadas.
cli-error-port-used = { $address } está ocupado, quizá por otro Outflank; ábrelo allí o elige otro puerto con --listen 127.0.0.1:0
cli-error-port-denied = este usuario no puede escuchar en { $address }; elige un puerto mayor que 1023
cli-error-port-address = este ordenador no tiene la dirección { $address }
cli-error-listen = no se puede escuchar en { $address }: { $reason }
cli-error-no-home = no se sabe dónde guardar las partidas: indica una carpeta con --data
cli-error-data-file = { $path } es un archivo, no una carpeta; indica otra carpeta con --data
cli-error-data-denied = no hay permiso para escribir en { $path }; indica otra carpeta con --data
cli-error-data-used = otro Outflank está usando las partidas de { $path }
cli-error-data-foreign = { $path } es de otro programa; se ha dejado como estaba. Indica otra carpeta con --data
cli-error-data-newer = { $path } lo escribió un Outflank más reciente; se ha dejado como estaba. Usa esa versión
cli-error-data-damaged = { $path } está dañado ({ $reason }); se ha dejado como estaba. Recupera una copia o indica otra carpeta con --data
cli-error-data-full = el disco está lleno: { $path }
cli-error-bus = no se puede oír a los demás nodos: { $reason }
cli-error-data = no se pueden abrir las partidas: { $reason }

## Why a game is not taken
cli-archive-too-large = descomprimido ocupa más de { $most } megabytes, o contiene demasiados archivos
cli-archive-damaged = no se puede descomprimir: { $reason }
cli-why-occupied = jugada { $ply }: { $square } ya tiene una ficha
cli-why-turns-nothing = jugada { $ply }: { $square } no voltea ninguna ficha
cli-why-game-over = jugada { $ply }: { $square } viene después del final de la partida
cli-why-wrong-turn =
    jugada { $ply }: { $square } se atribuye a { $by ->
        [black] negras, pero es el turno de blancas
       *[white] blancas, pero es el turno de negras
    }
cli-why-pass =
    un pase antes de la jugada { $ply }, pero { $by ->
        [black] negras
       *[white] blancas
    } pueden jugar
cli-why-square = jugada { $ply }: «{ $found }» no es una casilla
cli-why-go = «{ $found }» es un punto de un tablero de go
cli-why-moves = más jugadas de las que puede tener una partida
cli-why-nodes = más de { $most } jugadas entre todas las variantes
cli-why-properties = más de { $most } propiedades
cli-why-size = un tablero de tamaño { $size }; solo se lee el de 8 × 8
cli-why-game = el juego es «{ $game }», no Othello
cli-why-no-board = falta el tablero inicial
cli-why-two-discs = { $square } tiene a la vez una ficha negra y una blanca
cli-why-no-discs = el tablero no tiene ninguna ficha
cli-why-late-setup = se colocan fichas después de la primera jugada
cli-why-unclosed = { $open } no se cierra nunca
cli-why-unexpected = «{ $found }» no se espera aquí
cli-why-board-character = la casilla { $square } del tablero es «{ $found }»
cli-why-board-squares =
    { $count ->
        [one] { $count } casilla
       *[other] { $count } casillas
    } donde hacen falta 64
cli-why-no-turn = tras el tablero falta quién juega
cli-why-number = «{ $found }» no es un número
cli-why-truncated = el archivo está cortado: su cabecera promete { $promised ->
        [one] una partida
       *[other] { $promised } partidas
    } y contiene { $found }
cli-why-no-header = es demasiado corto para ser un archivo WTHOR
cli-why-move-byte = jugada { $ply }: el byte { $byte } no corresponde a ninguna casilla
cli-why-score = un resultado de { $score } fichas; un tablero tiene 64
cli-why-players = contiene nombres de jugadores, no partidas
cli-why-tournaments = contiene nombres de torneos, no partidas
cli-why-solitaires = contiene posiciones de final, no partidas
cli-why-prose = hay una casilla, pero ninguna partida que se distinga de las palabras que la rodean
cli-why-between = aquí hay jugadas fuera de las partidas del archivo
cli-why-no-moves = no tiene jugadas; una biblioteca guarda partidas
cli-why-result = el resultado indicado es { $claimed }, pero las jugadas terminan { $played }
cli-why-unknown = no tiene ninguna partida ni posición que Outflank sepa leer
cli-why-empty = el texto está vacío
cli-why-link-damaged = el enlace está dañado, o es de un Outflank más nuevo
cli-why-link-no-moves = el enlace no contiene jugadas: pega las jugadas mismas
page-library-game-number = partida { $game }
page-library-line = línea { $line }
page-library-refused =
    { $refused ->
        [one] { $refused } no entró
       *[other] { $refused } no entraron
    }
page-library-refused-first = Estas son las primeras { $count }.

## Terminal

play-computer = Ordenador, nivel { $level }
play-nobody = nadie aún
play-turn = { $color ->
        [black] Juega Negro.
       *[white] Juega Blanco.
    }
play-move = { $color ->
        [black] Negro
       *[white] Blanco
    } { $square }, voltea { $discs }.
play-going-on = Sigue la partida { $game }: { $black } (Negro) contra { $white } (Blanco), { $moves ->
        [one] una jugada hecha.
       *[other] { $moves } jugadas hechas.
    }
play-going-on-short = Sigue la partida { $game }.
play-passes = { $color ->
        [black] Negro no tiene jugada: vuelve a jugar Blanco.
       *[white] Blanco no tiene jugada: vuelve a jugar Negro.
    }
play-pass = pasa
play-count = Negro { $black }, Blanco { $white }.
play-legal = { $color ->
        [black] Negro puede jugar en
       *[white] Blanco puede jugar en
    }: { $squares }
play-clocks = Tiempo restante: Negro { $black }, Blanco { $white }
play-no-clock = Esta partida no tiene reloj.
play-overtime = { $time } de prórroga
play-moves = Jugadas
play-no-moves = Aún no hay jugadas.
play-given = La partida empieza tras estas jugadas: { $moves }
play-opening = Apertura: { $name }.
play-thinking = El ordenador está pensando…
play-taken-back = Jugada deshecha.
play-hint = Una buena jugada: { $square }
play-wins = { $color ->
        [black] Gana Negro
       *[white] Gana Blanco
    } { $high }–{ $low }.
play-draw = Empate, { $black }–{ $white }.
play-why-full = El tablero está lleno.
play-why-wiped-out = { $color ->
        [black] A Negro no le queda ninguna ficha.
       *[white] A Blanco no le queda ninguna ficha.
    }
play-why-no-moves = Nadie puede jugar.
play-why-resigned = { $color ->
        [black] Negro abandonó.
       *[white] Blanco abandonó.
    }
play-why-out-of-time = { $color ->
        [black] A Negro se le acabó el tiempo.
       *[white] A Blanco se le acabó el tiempo.
    }
play-late = { $color ->
        [black] A Negro se le había acabado el tiempo y cuenta 31 como mucho.
       *[white] A Blanco se le había acabado el tiempo y cuenta 31 como mucho.
    }
play-empties =
    En el tablero { $black }–{ $white }; { $empties ->
        [one] la casilla vacía es para el ganador.
       *[other] las { $empties } casillas vacías son para el ganador.
    }
play-empties-shared = En el tablero { $black }–{ $white }; las { $empties } casillas vacías se reparten.
play-score = Resultado { $difference }.
play-scrapped = La partida se descartó para empezar otra.
play-aborted = { $color ->
        [black] Negro no jugó la partida. No tiene resultado.
       *[white] Blanco no jugó la partida. No tiene resultado.
    }
play-why-left = { $color ->
        [black] Negro se fue de la partida.
       *[white] Blanco se fue de la partida.
    }
play-offer-answer = y o sí: aceptar, x o no: rechazar.
play-confirm-resign = { $color ->
        [black] ¿Abandona Negro? s: sí, otra tecla: no
       *[white] ¿Abandona Blanco? s: sí, otra tecla: no
    }
play-confirm-new = { $over ->
        [yes] ¿Una partida nueva? 1: mismos colores, 2: colores cambiados, otra cosa: no
       *[no] ¿Una partida nueva? Esta se descarta. 1: mismos colores, 2: colores cambiados, otra cosa: no
    }
play-saved = La partida se conserva; `outflank play --resume` la continúa.
play-save-name = Guardar la partida como (txt, pgn, ggf, sgf, wtb, board o svg; nada para no guardar):
play-save-there = { $path } ya existe. ¿Sustituirlo? s: sí, otra tecla: no
play-save-done = Guardada como { $path }
play-save-without = Guardada como { $path }, sin { $what }
play-save-not = No se guardó { $path }: { $reason }
play-save-format = El nombre { $path } no indica un formato: haz que termine en txt, pgn, ggf, sgf, wtb, board o svg.
play-looking = Tras la jugada { $number } de { $moves }. Fin o Esc vuelve a la partida.
play-too-small = La ventana es demasiado pequeña para el tablero. Agrándala o usa `outflank play --plain`.
play-keys-short = Flechas e Intro juegan · u deshacer · s guardar · n partida nueva · ? teclas · q salir
play-keys-title = Teclas
play-keys =
    flechas         mueven el cursor
    e y luego 6     ir a e6
    Intro, Espacio  jugar ahí (o hacer clic)
    u               deshacer
    t               una buena jugada
    s               guardar en un archivo
    r               abandonar
    n               partida nueva
    y, x            aceptar, rechazar lo que pide el otro jugador
    RePág, AvPág    ver jugadas anteriores
    Inicio, Fin     el comienzo, la partida
    Ctrl-Z          volver al terminal; fg continúa
    q               salir; la partida se conserva
play-plain-welcome = Escribe una casilla como f5 para jugar en ella, ayuda para ver las demás palabras, salir para terminar.
play-plain-help = tablero: el tablero; jugadas: dónde se puede jugar; lista: las jugadas hechas; reloj: el tiempo; pista: una buena jugada; deshacer: retirar la jugada; abandonar: dar la partida por perdida; nueva: partida nueva; sí, no: responder al otro jugador; guardar partida.sgf: guardar en un archivo; salir: terminar, la partida se conserva.
play-unknown = «{ $text }» no es una casilla ni una palabra que conozca. Escribe ayuda.
play-refused-occupied = { $square } ya tiene una ficha.
play-refused-turns-nothing = { $square } no voltea ninguna ficha: no se puede jugar ahí.
play-refused-over = La partida ha terminado. n o nueva empieza otra.
play-refused-out-of-time = El tiempo se había acabado.
play-refused-no-takebacks = En esta partida no se deshacen jugadas.
play-refused-nothing = No hay ninguna jugada que deshacer.
play-refused-unsure = El disco dio un error: no es seguro que esto se haya guardado. Vuelve a empezar con --resume para verlo.
play-connected = Se perdió la conexión con el servidor y ya ha vuelto.
play-connected-here = El servidor se ha detenido. La partida sigue en este terminal.
play-handed-over = Se ha iniciado un servidor. La partida sigue allí.
play-no-answer = otro Outflank está usando las partidas de { $path } y no responde ({ $reason }); no se pierde ninguna partida
play-other-version = otra versión de Outflank está usando las partidas de { $path }; detenla antes
play-not-saved = La partida no se puede guardar, así que no se ha hecho nada: { $reason }
play-nothing-to-resume = no hay ninguna partida que continuar; `outflank play` empieza una
play-no-such-game = { $count ->
        [0] no existe la partida { $game }, ni hay ninguna otra sin terminar
       *[other] no existe la partida { $game }; sin terminar están { $games }
    }
play-bad-name = «{ $name }» no puede ser un nombre: de 1 a 24 caracteres visibles
play-bad-clock = un reloj tiene entre un segundo y 24 horas
play-terminal = no se puede usar el terminal ({ $reason }); prueba `outflank play --plain`

## Page

# En todas partes
page-close = Cerrar
page-cancel = Cancelar
page-reload = Volver a cargar
page-lost = Se ha perdido la conexión. Tu partida está guardada; reconectando…
page-shut = El otro ordenador ha cerrado el acceso desde la red. Tu partida está guardada y seguirá cuando lo abra.
page-not-loaded = No se ha podido cargar esta página: el servidor no responde. Tus partidas están guardadas; prueba otra vez en un momento.
page-stale = El servidor se ha actualizado. Vuelve a cargar la página para seguir; tus partidas están a salvo.
page-not-owner = Ese enlace de propietario no vale, o ya no: el servidor muestra uno nuevo cada vez que se inicia.
page-tools = Herramientas
page-more = Más
page-sound = Sonido
page-settings = Ajustes
page-help-title = Ayuda
page-to-start = Ir al inicio
page-gone-title = Esta partida no está aquí
page-gone-text = Se ha borrado, o al enlace le falta algo. Tus otras partidas están a salvo.

# Inicio
page-start-title = Juega al Reversi
page-start-lead = Encierra las fichas del rival entre las tuyas y pasarán a ser de tu color.
page-continue = Continuar tu partida
page-again = Jugar otra vez
page-again-computer = Ordenador { $level }
page-again-black = llevas las negras
page-again-white = llevas las blancas
page-again-toss = colores a sorteo
page-quiet-stop = Parar la partida del tablero
page-quiet-go = Seguir con la partida del tablero
page-way-two = Dos jugadores aquí
page-way-two-note = Por turnos, en esta pantalla
page-way-computer = Contra el ordenador
page-way-computer-note = Dieciocho niveles, desde la primera partida hasta casi la perfección
page-way-nearby = Con alguien cercano
page-way-nearby-note = Entra desde su propio móvil u ordenador
page-begin = Empezar la partida
page-invite = Invitar
page-who = Quién juega
page-your-name = Tu nombre
page-swap = Cambiar
page-toss = Sortear
page-tossed = La ficha ha caído: { $name } lleva las negras.
page-black-first = Empieza Negro.
page-your-colour = Tu color
page-colour-black = Negro (empieza)
page-colour-white = Blanco
page-colour-toss = A sorteo
page-level = Nivel
page-level-number = Nivel { $level }
page-level-title = { $level }{ "\u00a0" }· { $name }

# Reloj y reglas
page-clock = Reloj y reglas
page-clock-casual = Sin reloj
page-clock-casual-note = Sin prisa. Se pueden deshacer jugadas.
page-clock-club = Club
page-clock-club-note = 20 minutos por jugador. Quien agota su tiempo pierde 64–0. Se pueden deshacer jugadas.
page-clock-thirty = Treinta minutos
page-clock-thirty-note = 30 minutos por jugador. Quien agota su tiempo pierde 64–0. No se deshacen jugadas.
page-clock-tournament = Torneo
page-clock-tournament-note = 30 minutos por jugador, como en los mundiales: quien agota su tiempo pierde, tiene dos minutos más para acabar y suma 31–33 como mucho. No se deshacen jugadas.
page-clock-japan = Japón
page-clock-japan-note = 20 minutos por jugador. Quien agota su tiempo pierde; el ganador cuenta sus fichas del tablero, 33 como mínimo. No se deshacen jugadas.
page-clock-custom = A medida
page-clock-custom-note = Con tu tiempo y tus reglas.
page-clock-kind = Tiempo
page-clock-kind-sudden-death = Fijo
page-clock-kind-fischer = Con segundos por jugada
page-clock-kind-byo-yomi = Con periodos
page-clock-kind-none = Sin reloj
page-clock-field-minutes = Minutos por jugador
page-clock-field-minutes-wrong = Escribe entre { $low } y { $high } minutos.
page-clock-field-increment = Segundos que suma cada jugada
page-clock-field-increment-wrong = Escribe entre { $low } y { $high } segundos.
page-clock-field-period = Segundos de cada periodo
page-clock-field-period-wrong = Escribe entre { $low } y { $high } segundos.
page-clock-field-periods = Periodos
page-clock-field-periods-wrong = Escribe un número entero entre { $low } y { $high }.
page-clock-overrun = Si se agota el tiempo
page-clock-overrun-loses = Pierde 64–0
page-clock-overrun-two-minutes = Dos minutos más
page-clock-overrun-at-least33 = Cuenta el tablero, mínimo 33
page-empties = Casillas vacías al final
page-empties-to-winner = Para el ganador
page-empties-discs-only = No cuentan
page-set-takebacks = Se pueden deshacer jugadas
page-opening = Apertura
page-opening-standard = Normal
page-opening-standard-note = Cuatro fichas en el centro; empieza Negro.
page-opening-balanced = Equilibrada
page-opening-balanced-note = Ocho jugadas ya hechas, sorteadas entre 500 en las que nadie va por delante. La revancha repite las mismas con los colores cambiados.
page-clock-overtime = tiempo extra
page-clock-out = sin tiempo
page-clock-periods = { $more ->
        [0] último periodo
        [one] 1 periodo más
       *[other] { $more } periodos más
    }
page-clock-black = Reloj de Negro
page-clock-white = Reloj de Blanco

# Niveles del ordenador
page-computer-level = Ordenador · { $level }
page-level-newcomer = Recién llegado
page-level-beginner = Principiante
page-level-learner = Aprendiz
page-level-easy = Fácil
page-level-casual = Aficionado
page-level-regular = Habitual
page-level-keen = Entusiasta
page-level-steady = Constante
page-level-club = Club
page-level-sharp = Agudo
page-level-strong = Fuerte
page-level-tournament = Torneo
page-level-champion = Campeón
page-level-expert = Experto
page-level-master = Maestro
page-level-grandmaster = Gran maestro
page-level-superhuman = Sobrehumano
page-level-perfect = Perfecto

# La partida
page-game-title = Partida
page-title-your-turn = Te toca
page-board = Tablero
page-bar-black = Negro
page-bar-white = Blanco
page-to-move = { $who ->
        [you] te toca
       *[they] le toca
    }
page-thinking = pensando…
page-away = ausente
page-winner = { $who ->
        [you] ganas
       *[they] gana
    }
page-seat-open = Sitio libre
page-discs = { $count ->
        [one] 1 ficha
       *[other] { $count } fichas
    }
page-black-to-move = Juega Negro.
page-white-to-move = Juega Blanco.
page-your-turn = { $color ->
        [black] Te toca: llevas las negras.
       *[white] Te toca: llevas las blancas.
    }
page-computer-thinks = El ordenador está pensando…
page-notice-white-passes = { $who ->
        [you] No tienes jugada: vuelve a jugar Negro.
        [they] Blanco no tiene jugada: vuelves a jugar tú.
       *[both] Blanco no tiene jugada: vuelve a jugar Negro.
    }
page-notice-black-passes = { $who ->
        [you] No tienes jugada: vuelve a jugar Blanco.
        [they] Negro no tiene jugada: vuelves a jugar tú.
       *[both] Negro no tiene jugada: vuelve a jugar Blanco.
    }
page-notice-white-briefly = { $who ->
        [you] Te quedaste sin jugada.
       *[they] Blanco, sin jugada.
    }
page-notice-black-briefly = { $who ->
        [you] Te quedaste sin jugada.
       *[they] Negro, sin jugada.
    }
page-notice-white-passed = { $who ->
        [you] No tenías jugada y volvió a jugar Negro. Ahora te toca.
        [they] Blanco no tenía jugada y volviste a jugar tú. Ahora juega Blanco.
       *[both] Blanco no tenía jugada y volvió a jugar Negro. Ahora juega Blanco.
    }
page-notice-black-passed = { $who ->
        [you] No tenías jugada y volvió a jugar Blanco. Ahora te toca.
        [they] Negro no tenía jugada y volviste a jugar tú. Ahora juega Negro.
       *[both] Negro no tenía jugada y volvió a jugar Blanco. Ahora juega Negro.
    }
page-moves = Jugadas
page-moves-none = Las jugadas aparecerán aquí.
page-move-given = de la apertura
page-opening-given = Hay { $count } jugadas ya hechas.
page-pass = pasa
page-step-first = Al principio de la partida
page-step-back = Una jugada atrás
page-step-next = Una jugada adelante
page-step-last = A la última jugada
page-step-slider = Recorrer la partida
page-step-value = Viendo la jugada { $ply } de { $moves }
page-takeback = Deshacer
page-hint = Pista
page-hint-thinking = Buscando una buena jugada…
page-resign = Abandonar
page-new-game = Partida nueva
page-rematch = Revancha
page-back-to-game = Volver a la partida
page-back-to-result = Volver al resultado
page-what-decided = ¿Qué la decidió?
# Lo mismo, donde hay poco sitio
page-review = Repaso
page-try-level = Probar el nivel { $level }
page-save = Guardar

# Las casillas, como las dice un lector de pantalla
page-square-empty = { $square }, vacía
page-square-black = { $square }, negra
page-square-white = { $square }, blanca
page-square-legal = jugable, voltea { $count ->
        [one] 1 ficha
       *[other] { $count } fichas
    }
page-square-last = última jugada
page-square-hint = pista
page-say-move = { $color } { $square }, voltea { $squares }.
page-say-start = El principio de la partida.

# Una palabra sobre el último clic
page-remark-occupied = En { $square } ya hay una ficha.
page-remark-turns-nothing = { $square } no voltea nada{ $marks ->
        [yes] : elige una casilla marcada.
       *[no] .
    }
page-remark-turn = Todavía no: le toca a { $color }.
page-remark-over = Esta partida ha terminado.
page-remark-waiting = El otro jugador aún no ha llegado.
page-remark-looking = Estás viendo una posición anterior. Vuelve antes a la partida.
page-remark-watching = Estás mirando esta partida.
page-remark-hint = { $square } es una buena jugada.
page-remark-taken-back = Jugada deshecha.
page-remark-server-back = El servidor se ausentó y ha vuelto. Nadie ha perdido tiempo.
page-remark-seated = Ha llegado el otro jugador.
page-remark-left = { $name } se ha ido por ahora. La partida está guardada.
page-remark-back = { $name } ha vuelto.

# Lo que un jugador le pide al otro
page-offer = Petición
page-offer-takeback = { $name } pide deshacer su jugada.
page-offer-new-game = { $over ->
        [yes] { $name } propone otra partida.
       *[no] { $name } propone otra partida en lugar de esta.
    }
page-offer-rematch = { $over ->
        [yes] { $name } pide la revancha.
       *[no] { $name } pide la revancha en lugar de esta partida.
    }
page-offer-scrap = { $name } propone descartar esta partida, sin resultado.
page-offer-yours-takeback = Le has pedido a { $name } deshacer tu jugada.
page-offer-yours-new-game = Le has propuesto otra partida a { $name }.
page-offer-yours-rematch = Le has pedido la revancha a { $name }.
page-offer-yours-scrap = Le has propuesto a { $name } descartar esta partida.
page-offer-declined = { $name } dice que no.
page-offer-withdrawn = { $name } ha retirado su petición.
page-accept = Aceptar
page-decline = Rechazar
page-withdraw = Retirar

# Por qué el servidor no lo hizo
page-refused-bad-message = El servidor no lo ha entendido. Vuelve a cargar la página; tu partida está a salvo.
page-refused-too-many = Demasiado rápido. Espera un momento y prueba otra vez.
page-refused-no-such-game = Esta partida ya no está aquí.
page-refused-not-yours = Solo pueden hacerlo los jugadores.
page-refused-not-your-turn = Le toca al otro jugador.
page-refused-wrong-ply = La posición ha cambiado. Mira de nuevo.
page-refused-full = Ya hay demasiados. Termina, detén o borra alguno antes.
page-refused-busy = El ordenador tiene demasiadas preguntas por contestar. Inténtalo de nuevo dentro de un momento.
page-refused-too-long = Ha pasado tanto en esta partida que ya solo se puede jugar hasta el final.
page-refused-occupied = En esa casilla ya hay una ficha.
page-refused-turns-nothing = Esa jugada no voltearía ninguna ficha.
page-refused-over = Esta partida ha terminado.
page-refused-out-of-time = El tiempo se había agotado.
page-refused-waiting = El otro jugador aún no ha llegado.
page-refused-no-takebacks = En esta partida no se deshacen jugadas.
page-refused-nothing-to-take-back = No tienes ninguna jugada que deshacer.
page-refused-already-asked = Ya lo has pedido.
page-refused-not-asked = Ya nadie pide eso.
page-refused-seat-taken = El sitio está ocupado.
page-refused-bad-invite = Esta invitación no sirve, o ya no. Pide otra.
page-refused-no-hints = No hay pistas contra otra persona.
page-refused-bad-rules = Con este reloj nadie podría jugar. Revisa los números.
page-refused-cannot-listen = Este ordenador no deja que Outflank escuche en la red. Quizá lo impida un cortafuegos.
page-refused-not-saved = No se ha podido guardar, así que nada ha cambiado. ¿Está lleno el disco?
page-refused-unsure = El disco ha fallado y no es seguro que esto se haya guardado. Vuelve a cargar la página para verlo.
page-refused-unreadable = Esta partida no se puede leer. Puede ser de un Outflank más nuevo, o estar dañada.
page-refused-no-such-study = Este estudio ya no está aquí.
page-refused-no-such-node = Esa posición ya no está en el estudio.
page-refused-stale = El estudio ha cambiado mientras tanto en otro sitio. Mira de nuevo.
page-refused-bad-text = En este texto no se ha podido leer ninguna partida ni posición.
page-refused-too-large = Es demasiado para un solo estudio.
page-refused-nothing-to-undo = No hay ningún cambio que deshacer ni rehacer.
page-refused-nothing-found = No se ha encontrado ninguna posición así. Prueba con un margen más amplio.
page-refused-no-such-card = Este ejercicio ya no está aquí.
page-refused-scope = Este token solo permite leer.
page-refused-name-taken = Ese es el nombre de la cuenta de otra persona, o se le parece. Elige otro o inicia sesión.

# Encontrarse con otros: por qué no
page-refused-lobby-closed = La sala de este servidor está cerrada.
page-refused-no-such-offer = Esta oferta ya no está: alguien la ha aceptado o se ha retirado.
page-refused-no-such-person = Aquí nadie se llama así.
page-refused-needs-account = Para jugar partidas puntuadas hace falta una cuenta. Sin ella puedes jugar partidas amistosas.
page-refused-not-for-you = Esta oferta es para otros jugadores.
page-refused-not-wanted = Uno de los dos no quiere encontrarse con el otro.
page-refused-needs-program-account = Un programa solo juega partidas puntuadas con una cuenta que lo diga: en su página, «Aquí juega un programa».
page-refused-playing-rated = Estás jugando una partida puntuada: el motor calla hasta que termine.
page-refused-position-in-play = Esto puede darse en una partida puntuada que estás jugando: el motor no dice nada de ello hasta que termine.

# El final
page-result-black-wins = Gana Negro, { $first }–{ $second }.
page-result-you-win = ¡Has ganado, { $first }–{ $second }!
page-result-you-lose = Has perdido, { $first }–{ $second }.
page-result-led = Buena pelea: fuiste por delante hasta la jugada { $move }.
page-result-name-wins = Gana { $name }, { $first }–{ $second }.
page-result-white-wins = Gana Blanco, { $first }–{ $second }.
page-result-draw = Empate, { $first }–{ $second }.
page-result-scrapped = Descartada.
page-why-full = El tablero está lleno.
page-why-no-moves = Ninguno puede jugar.
page-why-black-wiped-out = A Negro no le quedan fichas.
page-why-white-wiped-out = A Blanco no le quedan fichas.
page-why-you-wiped-out = No te quedan fichas.
page-why-black-resigned = Negro ha abandonado.
page-why-white-resigned = Blanco ha abandonado.
page-why-you-resigned = Has abandonado.
page-why-black-out-of-time = A Negro se le acabó el tiempo.
page-why-white-out-of-time = A Blanco se le acabó el tiempo.
page-why-you-out-of-time = Se te acabó el tiempo.
page-why-black-late = Negro había agotado su tiempo.
page-why-white-late = Blanco había agotado su tiempo.
page-why-you-late = Habías agotado tu tiempo.
page-why-scrapped = Se dejó antes de acabar y no tiene resultado.
page-why-board = En el tablero, { $first }–{ $second }.
page-why-empties-winner = En el tablero, { $first }–{ $second }; { $empties ->
        [one] la casilla vacía es
       *[other] las { $empties } casillas vacías son
    } para quien gana.
page-why-empties-shared = En el tablero, { $first }–{ $second }; las { $empties } casillas vacías se reparten.

# Preguntas
page-new-title = ¿Empezar otra partida?
page-stop-yes = Dejar de esperar
page-resign-title = ¿Abandonar la partida?

# Guardar
page-save-title = Guardar la partida

# Tus partidas
page-study-title = Estudio
page-games-title = Tus partidas
page-library-title = Biblioteca
page-card-move = Jugada { $move }

# Con alguien cercano
page-waiting-title = Esperando al otro jugador
page-watching = Estás mirando.
page-next-game = Otra partida

# Cómo se juega
page-how-title = Cómo se juega
page-learn-title = Primera lección
page-exercises-title = Ejercicios
page-paste = Pegar una partida

# Personas
page-sign-in = Entrar
page-account = { $name }: tu cuenta
page-run-server = Administrar el servidor…

## Page: games, files and invitations

page-loading = Un momento…
page-score = Puntuación { $difference } (fichas negras menos blancas)
page-lag = El retraso de la red se devolvió: { $black } s a Negro y { $white } s a Blanco.

# The list
page-delete-title = ¿Borrar esta partida?
page-delete-text = { $players } desaparecerá para siempre.
page-delete-cancel = Conservarla
page-delete = Borrar

# Files
page-transcript = Transcripción
page-files = Archivos
page-file-text = Texto
page-file-diagram = Diagrama
page-games-none = Aún no hay partidas. Todo lo que juegues se guarda aquí solo.
page-games-first = Jugar la primera
page-games-more = Mostrar más
page-unreadable = Una partida ilegible
page-unreadable-text = Puede ser de un Outflank más nuevo, o estar dañada.
page-filter = Qué partidas
page-filter-all = Todas
page-filter-going = En curso
page-filter-over = Terminadas
page-filter-untouched = Sin empezar
page-games-none-here = No hay partidas de este tipo.

# The waiting room
page-waiting-text = Escanea esto con un móvil de la misma red, o envía el enlace.
page-waiting-qr = Código QR del enlace de abajo
page-waiting-copy = Copiar el enlace
page-waiting-another = ¿No se abre? Prueba otra dirección
page-waiting-no-invite = Esta partida espera a quien tenga su enlace.
page-door-text = Quien esté en tu red podrá abrir esta página y sentarse a jugar si tiene una invitación, hasta que lo cierres.
page-door-setting = Otros dispositivos
page-door-is-open = Quien esté en tu red puede abrir esta página y sentarse a jugar si tiene una invitación, hasta que lo cierres.
page-door-open = Permitir el acceso desde mi red
page-door-close = Cerrar el acceso
page-door-no-network = Este ordenador no está en ninguna red que otro dispositivo pueda compartir. Conéctalo a una, como tu wifi, y el código aparecerá aquí solo.
page-door-title = Deja entrar al otro dispositivo
page-door-no-network-title = Sin red
page-door-not-yours = Ningún otro dispositivo puede abrir todavía esta página. Quien esté ante el ordenador donde funciona Outflank puede dejarlos entrar.

# The invitation
page-join-title = { $name } te invita a una partida
page-join-title-nobody = Te invitan a una partida
page-join-black = Juegas con negras y empiezas.
page-join-white = Juegas con blancas; empiezan las negras.
page-join-balanced = Empieza después de ocho jugadas dadas.
page-join = Unirse a la partida
page-time-none = Sin reloj
page-time-sudden-death = { $minutes ->
        [one] 1 minuto por jugador
       *[other] { $minutes } minutos por jugador
    }
page-time-fischer = { $minutes ->
        [one] 1 minuto por jugador
       *[other] { $minutes } minutos por jugador
    }, y { $seconds ->
        [one] 1 segundo más con cada jugada
       *[other] { $seconds } segundos más con cada jugada
    }
page-time-byo-yomi = { $minutes ->
        [one] 1 minuto por jugador
       *[other] { $minutes } minutos por jugador
    } y después { $periods ->
        [one] 1 periodo
       *[other] { $periods } periodos
    } de { $seconds ->
        [one] 1 segundo
       *[other] { $seconds } segundos
    }

# Ayuda y teclas
page-help-rules = Pon una ficha de modo que haya fichas del otro color en línea recta entre ella y otra tuya: todas se voltean. Si no tienes ninguna jugada así, tu turno pasa solo. Gana quien acaba con más fichas.
page-help-more = Cómo se juega, con tableros para probar
page-keys-title = Teclas
page-keys-move = De casilla en casilla, una vez en el tablero
page-keys-play = Jugar en la casilla
page-keys-jump = Al tablero, a la casilla e6 (o con Tab)
page-keys-step = Recorrer la partida
page-keys-ends = Al principio, y de vuelta a la partida
page-keys-live = Volver a la partida
page-keys-takeback = Deshacer
page-keys-hint = Pista
page-keys-new = Partida nueva
page-keys-mute = Sonido sí o no
page-keys-help = Estas teclas

# Ajustes
page-set-language = Idioma
page-set-theme = Aspecto
page-theme-system = Como el dispositivo
page-theme-light = Claro
page-theme-dark = Oscuro
page-theme-contrast = Alto contraste
page-set-board = Tablero
page-board-green = Verde
page-board-slate = Pizarra
page-board-wood = Madera
page-board-contrast = Alto contraste
page-set-legal = Mostrar dónde puedes jugar
page-set-coordinates = Letras y números alrededor del tablero
page-set-numbers = Número de jugada en las fichas
page-set-openings = Nombres de las aperturas
page-set-sound = Sonido
page-set-keys = Atajos de una sola letra
page-set-speed = Velocidad de las fichas al voltearse
page-speed-slow = Lenta
page-speed-normal = Normal
page-speed-fast = Rápida
page-speed-none = Al instante

# Partida nueva, rendirse
page-new-text = Se descartará la partida del tablero. Quedará en tu lista, sin resultado.
page-new-text-over = Con los mismos jugadores, colores y reloj.
page-new-cancel = Seguir jugando
page-new-other = Otros ajustes…
page-new-yes = Descartar y empezar
page-new-yes-over = Empezar
page-new-text-ask = Antes se le pregunta a { $name }. Si acepta, esta partida se descarta: queda en las dos listas, sin resultado.
page-new-text-leave = Apenas se ha jugado, así que puedes irte sin preguntar. Para empezar otra, antes se le pregunta a { $name }.
page-new-text-over-ask = Con los mismos jugadores, colores y reloj. Antes se le pregunta a { $name }.
page-new-ask = Proponer otra partida
page-new-ask-scrap = Proponer descartarla
page-new-leave = Dejar la partida
page-stop-title = ¿Dejar de esperar?
page-stop-text = El enlace dejará de funcionar y nadie podrá unirse a esta partida.
page-stop-cancel = Seguir esperando
page-resign-text = La partida acaba ahora, 64–0 para el otro bando.
page-resign-cancel = Seguir jugando
page-resign-black = Abandona Negro
page-resign-white = Abandona Blanco

## Page: how to play

page-how-lead = Dos jugadores, un tablero de 64 casillas y fichas negras por una cara y blancas por la otra. Gana quien acaba con más fichas de su color.
page-how-move-title = La jugada
page-how-start = Se empieza con cuatro fichas en el centro: blancas en d4 y e5, negras en d5 y e4. Empieza Negro y después se alternan los turnos.
page-how-move = Pones una ficha en una casilla vacía de modo que una o más fichas del rival queden, en línea recta, entre ella y otra ficha tuya. A eso se le llama flanquear. Las fichas encerradas se voltean y pasan a tu color. Una ficha puesta nunca cambia de casilla.
page-how-lines-title = Todas las líneas a la vez
page-how-lines = La línea puede ser horizontal, vertical o diagonal. Si tu ficha flanquea en varias líneas, se voltean las de todas.
page-how-all = No puedes dejar ninguna sin voltear. Y una ficha volteada no flanquea por sí misma: solo lo hace la que acabas de poner.
page-how-pass-title = ¿Sin jugada? Se pasa
page-how-pass = Si no puedes flanquear nada, tu turno pasa solo y vuelve a jugar el rival. Teniendo jugada no se puede pasar.
page-how-end-title = El final
page-how-end = La partida acaba cuando el tablero está lleno, cuando un color se queda sin fichas o cuando ninguno de los dos puede jugar.
page-how-score = Se cuentan las fichas y gana quien tiene más. Las casillas vacías son para el ganador; si hay empate, la mitad para cada uno. La puntuación es la diferencia: fichas negras menos fichas blancas.
page-how-names-title = Los nombres de las casillas
page-how-names = Las columnas van de la a a la h desde la izquierda; las filas, del 1 al 8 desde arriba. La esquina superior izquierda es a1.
page-how-clock-title = Con reloj
page-how-clock = En un torneo cada jugador dispone del mismo tiempo para todas sus jugadas, normalmente treinta minutos. Quien lo agota pierde la partida.
page-how-advice-title = Tres consejos para empezar
page-how-advice = Una ficha en la esquina ya no se puede voltear: busca las esquinas. No corras a las casillas vecinas de una esquina vacía. Al principio vale más tener pocas fichas y muchas jugadas que muchas fichas.
page-how-history-title = Un poco de historia
page-how-history-1 = Nadie sabe con certeza quién lo ideó. En 1870 se vendía en Inglaterra un juego con fichas que se volteaban; se jugaba en un tablero con forma de cruz.
page-how-history-2 = En los años ochenta de aquel siglo apareció en Londres el Reversi, ya en el tablero cuadrado de 8 por 8, y dos inventores discutieron en público de quién era. Se jugó en toda Europa; entonces las cuatro primeras fichas se ponían a gusto de los jugadores.
page-how-history-3 = En los años setenta del siglo XX el juego volvió desde Japón con la salida fija de hoy y el nombre de Othello, y desde 1977 hay campeonato del mundo. Hace décadas que los ordenadores juegan mejor que las personas, pero sigue siendo tan fácil de aprender y tan difícil de dominar como siempre.
page-how-learn = A la primera lección
page-how-play = A jugar
page-lesson-again = Otra vez
page-lesson-slip = { $square } no voltea nada aquí. Prueba una casilla marcada.
page-lesson-first = Prueba la primera jugada
page-lesson-first-try = Pruébalo: llevas las negras. Señala un aro para ver qué se voltearía y juega ahí.
page-lesson-first-done = Has flanqueado una ficha blanca y se ha volteado. Ahora jugaría Blanco.
page-lesson-lines = Prueba varias líneas
page-lesson-lines-try = Juega Negro. Pon en d6.
page-lesson-lines-done = Se han volteado cinco fichas en tres líneas. c6 sigue blanca: en el otro extremo no hay ficha negra.
page-lesson-pass = Prueba un pase
page-lesson-pass-try = Juega Negro. Pon en c1.
page-lesson-pass-passed = Blanco no tiene jugada: vuelve a jugar Negro, en f4.
page-lesson-pass-done = A Blanco no le quedan fichas: gana Negro. Con las casillas vacías cuenta 64–0.
page-quiz-board = Busca la casilla
page-quiz-ask = Busca { $wanted }.
page-quiz-right = ¡Muy bien! Ahora busca { $wanted }.
page-quiz-wrong = Esa es { $square }. Busca { $wanted }.

## Reasons

# Por qué una jugada fue mala: $move es esa jugada, $best la mejor, $a y $b son casillas, $n y $m números.
reason-gave-corner = { $move } deja que el rival tome la esquina { $a }.
reason-opened-corner = { $move } está junto a la esquina { $b }, que después toma el rival.
reason-no-safe-moves = Tras { $move } y la mejor respuesta solo queda una jugada segura; tras { $best } habría { $m }.
reason-opened-wall = { $move } le da al rival { $n } jugadas nuevas, y una de ellas, { $b }, es fuerte.
reason-missed-quiet-move = { $best } no abre nada y le deja al rival { $n ->
    [one] una jugada segura
   *[other] { $n } jugadas seguras
}; { $move } le deja { $m }.
reason-gave-parity = { $move } entra primero en una zona de { $n } casillas vacías, donde después el rival hace la última jugada.
reason-gave-stable-discs = { $move } le da al rival { $n } fichas más que ya nunca se darán la vuelta.
reason-missed-pass = Tras { $best } el rival pronto tiene que pasar.
reason-too-early = { $move } es la casilla correcta, pero antes va { $best }.
reason-miscounted = Contando hasta el final, { $best } da { $n } fichas y { $move } solo { $m }.

## Page: study

page-study-loading = Un momento…
page-study-untitled = Estudio sin nombre
page-study-unreadable = Un estudio que no se puede leer
page-study-gone-title = Este estudio no está aquí
page-study-gone-text = Se ha borrado, es de otra persona o al enlace le falta algo. Tus otros estudios están a salvo.

# La lista
page-study-all = Tus estudios
page-study-paste = Pega una partida o una posición
page-study-paste-note = Jugadas como f5d6c3, un tablero, GGF, SGF, texto de otra página o un enlace.
page-study-open = Verlo
page-study-new = Tablero nuevo
page-study-moves = { $count ->
        [one] 1 jugada
       *[other] { $count } jugadas
    }
page-study-more = Ver más
page-study-delete = Borrar
page-study-delete-title = ¿Borrar este estudio?
page-study-delete-text = { $name } desaparecerá para siempre, con sus variantes y comentarios.
page-study-delete-cancel = Conservarlo
page-study-sample-title = Aquí todavía no hay nada
page-study-sample-text = Mira con una partida de muestra lo que enseña un estudio: qué jugada la decidió, por qué y qué era mejor.
page-study-sample-open = Ver la muestra

# El tablero
page-study-name = Nombre del estudio
page-study-share = Compartir
page-study-panels = Lo que se ve bajo el tablero
page-study-panel-line = Motor
page-study-panel-review = Repaso
page-study-panel-moves = Jugadas
page-study-panel-graph = Gráfica
page-study-panel-tools = Útiles
page-study-over = La partida ha terminado
page-study-not-legal = Aquí no se puede jugar { $square }.
page-study-say-move = { $number }. { $color }, { $square }.
page-study-square-value = vale { $value }
page-study-square-best = la mejor
page-study-square-exact = demostrado
page-study-square-depth = { $depth ->
        [one] a 1 jugada vista
       *[other] a { $depth } jugadas vista
    }
page-study-square-percent = seguro al { $percent } %
page-study-square-spread = { $discs } arriba o abajo
page-study-square-book = en el libro: { $value }
page-study-square-played = jugada en la partida
page-study-bar-unknown = Aún no se sabe quién va por delante.
page-study-bar-even = Nadie va por delante.
page-study-bar-ahead = { $color } va por delante, por { $discs }.
page-study-graph = Quién iba por delante, jugada a jugada
page-study-graph-move = Jugada { $number } de { $moves }.

# El motor
page-study-engine-go = Que el motor busque
page-study-engine-stop = Parar el motor
page-study-engine-off = El motor descansa
page-study-engine-begins = Un momento…
page-study-strength = Cuánto buscar
page-study-seconds = { $n ->
        [one] 1 segundo
       *[other] { $n } segundos
    }
page-study-minutes = { $n ->
        [one] 1 minuto
       *[other] { $n } minutos
    }
page-study-until-stopped = Hasta que lo pare
page-study-to-the-end = Resolver hasta el final
page-study-threads = Hilos
page-study-threads-count = { $n ->
        [one] 1 hilo
       *[other] { $n } hilos
    }
page-study-depth = Profundidad { $depth }
page-study-exact = Demostrado
page-study-nodes = { $nodes } posiciones, { $seconds } s
page-study-people = { $games ->
        [one] 1 partida en la biblioteca
       *[other] { $count } partidas en la biblioteca
    }
page-study-people-won = Negro ganó { $black } %, empates { $draws } %, Blanco ganó { $white } %
page-study-people-next = { $square }, { $games ->
        [one] jugada una vez
       *[other] jugada { $games } veces
    }
page-study-book = Libro
page-study-best-line = Las mejores jugadas
page-study-line = Las jugadas que se ven en el tablero
page-study-line-move = Jugada { $number }: { $square }

# El árbol
page-study-tree = Jugadas y variantes
page-study-tree-none = Juega en el tablero. Cada otra jugada que pruebes será una variante; nada se pierde.
page-study-comment = Comentario sobre esta posición
page-study-comment-unsaved = Aún sin guardar.
page-study-comment-again = Guardar otra vez

# Útiles
page-study-changes = Cambios
page-study-undo = Deshacer
page-study-redo = Rehacer
page-study-promote = Hacer de esto la línea principal
page-study-remove = Borrar esta jugada y lo que sigue
page-study-position = Poner una posición
page-study-random = Posición al azar
page-study-marks = Dibujar en el tablero
page-study-mark-circle = Círculo
page-study-mark-square = Cuadrado
page-study-mark-triangle = Triángulo
page-study-mark-cross = Cruz
page-study-mark-arrow = Flecha: toca donde empieza y luego donde acaba
page-study-mark-none = Borrar lo dibujado
page-study-overlay = Mostrar
page-study-overlay-none = solo las fichas
page-study-overlay-moves = las jugadas de ambos
page-study-overlay-frontier = fichas junto a casillas vacías
page-study-overlay-stable = fichas que nadie puede voltear
page-study-overlay-regions = huecos pares e impares
page-study-values = Valores en las casillas
page-study-brush = Al tocar una casilla queda
page-study-brush-turn = del siguiente color
page-study-brush-black = negra
page-study-brush-white = blanca
page-study-brush-empty = vacía
page-study-whose-turn = Juega
page-study-position-empty = Vaciar
page-study-position-start = Cuatro fichas
page-study-position-open = Estudiar esta posición
page-study-position-no-disc = No hay ninguna ficha en el tablero. Pon alguna primero.
page-study-random-lead = Una posición que nadie ha elegido, más o menos tan buena para Negro como digas.
page-study-random-from = Ventaja de Negro, al menos
page-study-random-to = Ventaja de Negro, como mucho
page-study-random-empties = Casillas vacías
page-study-random-go = Buscar una
page-study-random-looking = Buscando…

# El repaso
page-study-review-title = Qué decidió la partida
page-study-review-lead = Se mira cada jugada, y cada error dos veces, antes de llamarlo así.
page-study-review-go = Mirar la partida
page-study-review-wait = Mirando cada jugada…
page-study-stage-first = Primera mirada
page-study-stage-deeper = Mirando más a fondo
page-study-stage-reasons = Buscando los porqués
page-study-stage-done = Listo
page-study-stop = Parar
page-study-deeper = Mirar más a fondo
page-study-partial = Vistas { $seen } de { $all } jugadas.
page-study-partial-deeper = Todas las jugadas vistas una vez; no todas, dos.
page-study-go-on = Seguir
page-study-discs = { $count ->
        [one] 1 ficha
       *[other] { $count } fichas
    }
page-study-lost-win = Jugada { $number }, { $color }: { $square } perdió { $discs } y la victoria.
page-study-lost-draw = Jugada { $number }, { $color }: { $square } perdió { $discs } y el empate.
page-study-lost-lead = Jugada { $number }, { $color }: { $square } perdió { $discs } y la ventaja.
page-study-lost-even = Jugada { $number }, { $color }: { $square } perdió { $discs } y toda la ventaja.
page-study-lost-level = Jugada { $number }, { $color }: { $square } perdió { $discs } en una partida igualada.
page-study-lost-ahead = Jugada { $number }, { $color }: { $square } perdió { $discs }, pero no la ventaja.
page-study-perhaps = quizá { $discs }; { $sure }
page-study-lost-perhaps = Jugada { $number }, { $color }: { $square } quizá perdió { $discs }.
page-study-lost-behind = Jugada { $number }, { $color }: { $square } perdió { $discs } más, yendo ya por detrás.
page-study-class-good = buena
page-study-class-best = la mejor
page-study-class-inaccuracy = imprecisión
page-study-class-mistake = error
page-study-class-blunder = error grave
page-study-turning-point = vuelco
page-study-walk-count = { $index } de { $all }, lo peor primero
page-study-why = ¿Por qué?
page-study-better = ¿Qué era mejor?
page-study-try = Pruébalo tú
page-study-what-happens = A { $square } se responde { $reply }. Mira el tablero.
page-study-nothing-follows = Con { $square } acaba la partida.
page-study-better-text = { $square } conserva { $discs } más. Mira cómo sigue.
page-study-add-line = Guardar esta línea como variante
page-study-keep = Hacer un ejercicio
page-study-kept = Ya es un ejercicio
page-study-walk-before = El anterior
page-study-walk-next = Siguiente
page-study-walk-settings = Qué jugadas, y desde cuándo es un error
page-study-walk-again = Repasarla otra vez
page-study-walk-leave = Al tablero
page-study-sides = Jugadas de
page-study-both = Ambos
page-study-thresholds = Cómo se llama cada jugada
page-study-upto-good = Buena: pierde como mucho
page-study-upto-inaccuracy = Imprecisión: como mucho
page-study-upto-mistake = Error: como mucho
page-study-thresholds-note = En fichas; lo que pierde más es un error grave.
page-study-thresholds-usual = Lo habitual
page-study-thresholds-use = Usar estos
page-study-try-title = Pruébalo tú
page-study-try-begin = Juega { $color }: ¿qué harías?
page-study-try-best = { $square }: no hay nada mejor.
page-study-try-lost = { $square } cuesta { $discs }; lo mejor era { $best }.
page-study-try-unsure = { $square } quizá cuesta { $discs } frente a { $best }; no es seguro.
page-study-try-back = Otro intento
page-study-try-open = Ver los valores
page-study-try-stop = Volver al repaso
page-study-try-exercise = Volver a los ejercicios
page-study-end-title = Esa fue la partida
page-study-clean-title = No se ha encontrado ningún error
page-study-well-both = Negro jugó bien { $black } de { $blackmoves } veces; Blanco, { $white } de { $whitemoves }.
page-study-well = { $color } jugó bien { $best } de { $moves } veces.
page-study-praise-nothing-lost = { $color } no perdió nada.
page-study-praise-little-lost = { $color } solo perdió { $discs } en toda la partida.
page-study-praise-only = En la jugada { $number } { $color } encontró { $square }, la única buena: cualquier otra pierde { $discs } o más.
page-study-decided = Se decidió en la jugada { $number }: { $color } jugó { $square } y perdió { $discs }.
page-study-decided-nothing = Ninguna jugada la decidió por sí sola.
page-study-practise-opening = Lo más se perdió en la apertura: mira lo que se juega ahí, y ten pocas fichas y muchas jugadas.
page-study-practise-midgame = Lo más se perdió en el medio juego: antes de jugar, cuenta cuántas jugadas le dejas al rival.
page-study-practise-ending = Lo más se perdió al final: practica las diez últimas casillas y cuenta antes de jugar.
page-study-practise-nothing = No se perdió nada que se pudiera evitar: ¡a seguir jugando!
page-study-haste = { $color }: { $quick ->
        [0] ninguno de sus { $mistakes } errores llevó
        [one] 1 de sus { $mistakes } errores llevó
       *[other] { $quick } de sus { $mistakes } errores llevaron
    } menos de 5 segundos.
page-study-given = { $count ->
        [one] La primera jugada venía dada y no cuenta para nadie.
       *[other] Las primeras { $count } jugadas venían dadas y no cuentan para nadie.
    }
page-study-total = en total
page-study-losses = Fichas perdidas, por partes de la partida
page-study-counts = Jugadas que perdieron demasiado
page-study-count-inaccuracy = imprecisiones
page-study-count-mistake = errores
page-study-count-blunder = graves
page-study-phase-opening = apertura
page-study-phase-midgame = medio
page-study-phase-ending = final
page-study-thought = tras { $seconds ->
        [one] 1 segundo
       *[other] { $seconds } segundos
    }

# Teclas
page-study-keys-title = Teclas
page-study-keys-jump = Al tablero, a la casilla e6 (o con Tab)
page-study-keys-play = Jugar en la casilla
page-study-keys-help = Estas teclas
page-study-keys-step = Recorrer las jugadas, o la línea que se ve
page-study-keys-beside = Otras jugadas en este lugar
page-study-keys-ends = Al principio, al final
page-study-keys-pages = Recorrer, también desde el tablero
page-study-keys-engine = Motor sí o no
page-study-keys-values = Valores en las casillas
page-study-keys-why = Repaso; en él: ¿por qué?
page-study-keys-next = El error siguiente
page-study-keys-try = Pruébalo tú
page-study-keys-undo = Deshacer
page-study-keys-redo = Rehacer
page-study-keys-remove = Borrar esta jugada y lo que sigue
page-study-keys-escape = Salir de lo que estés haciendo
page-study-keys-draw = Con el botón derecho del ratón dibujas círculos y flechas; en el móvil, con los útiles. Deslizar el dedo por el tablero avanza o retrocede.

## Page: first lesson

page-learn-done = (hecha)
page-learn-again = Prueba otra vez
page-learn-once-more = Repetir
page-learn-next = Siguiente
page-learn-play = Juega una partida
page-learn-proof = El ordenador ha calculado cada resultado hasta el final de la partida.
page-learn-rules = Las reglas
page-learn-slip = { $square } no voltea nada. Prueba una casilla marcada.
page-learn-thinks = Has volteado { $count ->
        [one] una ficha
       *[other] { $count } fichas
    }. Le toca a Blanco…
page-learn-answered = Blanco responde { $answer }.
page-learn-less = Con { $square } también ganas, { $result }. Pero se puede más: { $best }.
page-learn-lost = Blanco responde { $answer }{ $corner ->
        [yes] {" "}y la esquina ya es suya para siempre
       *[no] {""}
    }. Si a partir de aquí ambos juegan lo mejor posible, gana Blanco { $result }.

page-learn-corners = Esquinas
page-learn-corners-title = La esquina es para siempre
page-learn-corners-lead = Una ficha en la esquina no se puede voltear nunca: detrás no hay ninguna casilla. Y las que tiene al lado en el borde, si son tuyas, tampoco.
page-learn-corners-1 = Llevas las negras. h7 voltearía seis fichas, pero ¿quién se queda entonces con la esquina h8? Encuentra la jugada que gana.
page-learn-corners-1-right = Eso es. { $square } solo voltea una ficha, pero está junto a tu esquina: ya nadie puede voltearla. Haga lo que haga Blanco, después podrás tomar una esquina.
page-learn-corners-2 = Toma ahora lo que Blanco ha tenido que dejarte.
page-learn-corners-2-right = La fila entera, de esquina a esquina, es tuya para siempre. Jugando bien ganas { $result }.
page-learn-mobility = Movilidad
page-learn-mobility-title = No le dejes nada bueno
page-learn-mobility-lead = Nadie puede pasar si tiene una jugada. A quien se le acaban las buenas le toca hacer una mala. Por eso cuenta las jugadas que tendrá el rival, no las fichas que volteas.
page-learn-mobility-1 = Llevas las negras. e8 es la que más fichas voltea y le deja seis jugadas a Blanco. Encuentra la que le deja solo una.
page-learn-mobility-1-right = Exacto. A Blanco le queda una sola jugada, junto a la esquina a1, y tiene que hacerla. Tras cualquier otra, Blanco habría jugado { $square }.
page-learn-mobility-2 = ¿Qué te da eso?
page-learn-mobility-2-right = La esquina, y a Blanco vuelve a quedarle una sola jugada. Así se ganan las partidas: jugando bien, { $result }.
page-learn-quiet = Calma
page-learn-quiet-title = Juega tranquilo
page-learn-quiet-lead = En las fichas que dan a casillas vacías encuentra el rival sus jugadas. Una jugada tranquila voltea pocas fichas, muy dentro, y no abre nada.
page-learn-quiet-1 = Llevas las negras. b6 voltea seis fichas y le abre diez jugadas a Blanco. Encuentra la jugada tranquila.
page-learn-quiet-1-right = Bien visto. { $square } voltea una ficha sin ninguna casilla vacía alrededor. Blanco no gana ninguna jugada nueva y tiene que abrir el otro lado.
page-learn-quiet-2 = Sigue así: no b6, que voltea nueve.
page-learn-quiet-2-right = Pocas fichas volteadas, pocas jugadas para Blanco. Jugando bien ganas { $result }.

## Page: copying and sharing

page-copy = Copiar
page-copied = Copiado.
page-copy-by-hand = El texto está seleccionado: cópialo con Ctrl+C, o dejando el dedo sobre él.
page-share = Compartir

## Page: paste and share

page-paste-title = Pega una partida o una posición
page-paste-label = Una transcripción como f5d6c3, un tablero, GGF, SGF, texto de PlayOK o un enlace.
page-paste-clipboard = Desde el portapapeles
page-paste-by-hand = El navegador no deja que la página mire el portapapeles. Mantén el dedo sobre el campo o pulsa Ctrl+V en él.
page-paste-open = Abrir
page-paste-opened = Abierta.
page-paste-empty = No hay nada dentro.
page-paste-several = Hay { $count } partidas dentro.
page-paste-first = Abrir la primera
page-paste-all = Añadir todas a la biblioteca
page-paste-cancel = Cancelar
page-paste-collection = Es una colección de partidas
page-paste-collection-text = Puede guardarse en la biblioteca: allí se busca y se abre cualquier partida.
page-paste-not-yours = Solo quien lleva este servidor puede añadir partidas a su biblioteca.
page-paste-not-added = La biblioteca no la ha aceptado. No ha cambiado nada.
page-paste-added = { $count ->
        [0] Ninguna partida nueva
        [one] Una partida añadida
       *[other] { $count } partidas añadidas
    }
page-paste-added-rest = { $already ->
        [0] Ninguna estaba ya.
        [one] Una ya estaba.
       *[other] { $already } ya estaban.
    } { $rejected ->
        [0] Todas se han podido leer.
        [one] Una no se ha podido leer.
       *[other] { $rejected } no se han podido leer.
    }
page-paste-library = A la biblioteca
page-link-title = Una partida compartida
page-link-opening = Un momento…
page-link-damaged = Este enlace está dañado: le falta un trozo o ha cambiado. Pide que te lo envíen otra vez.
page-link-newer = Este enlace lo hizo un Outflank más nuevo. Ábrelo donde haya uno.
page-link-start = Al inicio
page-share-title = Compartir
page-share-what = Qué compartir
page-share-whole = Todo
page-share-position = Esta posición
page-share-link = Enlace
page-share-note = Todo va en el propio enlace. Se abre en cualquier Outflank y no se guarda en ninguna parte.
page-share-long = El enlace tiene { $count } caracteres. Algunos programas cortan enlaces tan largos; un archivo viaja mejor.
page-share-too-long = Es demasiado para un enlace. Comparte la posición, o un estudio con menos variantes.
page-share-copy = Copiar el enlace
page-share-send = Enviar…
page-share-picture = Imagen
page-share-file = Archivo y texto
page-share-moves = Jugadas
page-share-board = Tablero
page-share-file-note = SGF guarda variantes, comentarios y marcas; GGF, la partida con sus tiempos.
page-share-failed = No ha funcionado. Prueba otra vez dentro de un momento.

## Page: exercises

page-exercise-puzzles = Problemas
page-exercise-puzzles-text = Finales en los que una sola jugada gana, o una sola salva el empate.
page-exercise-midgames = La mejor jugada
page-exercise-midgames-text = Posiciones de medio juego en las que una jugada es claramente mejor que las demás.
page-exercise-endings = Gana desde aquí
page-exercise-endings-text = Finales ganados. Juégalos hasta el final contra una defensa perfecta.
page-exercise-mistakes = Tus errores
page-exercise-mistakes-text = Posiciones de tus propias partidas, hasta que la buena salga sola.
page-exercise-mistakes-none = Aún no hay ninguno. Revisa una de tus partidas y guarda lo que quieras mejorar.
page-exercise-openings = Aperturas
page-exercise-openings-text = Lleva un color desde el principio. El rival responde lo que juega la gente si la biblioteca tiene bastantes partidas y, si no, lo que dice el libro.
page-exercise-to-study = Al estudio
page-exercise-level = Dificultad
page-exercise-any = Todas
page-exercise-side = Tu color
page-exercise-begin = Practicar
page-exercise-repeat = Repasar
page-exercise-due-count = { $count } por repasar
page-exercise-new-count = { $count } por ver
page-exercise-known-count = { $count } en la memoria
page-exercise-days = Las dos últimas semanas
page-exercise-day = Hoy: { $answered ->
        [0] todavía nada: con uno basta para seguir.
        [one] una respuesta, { $right ->
            [0] y no era la buena.
           *[other] y era la buena.
        }
       *[other] { $answered } respuestas, { $right } correctas.
    }
page-exercise-back = Todos los ejercicios
page-exercise-failed = No se han podido leer los ejercicios. No se ha perdido nada.
page-exercise-retry = Prueba otra vez
page-exercise-grade = Nivel { $level }
page-exercise-task-best-move = Juega { $color }. Encuentra la mejor jugada.
page-exercise-task-only-win = Juega { $color }. Una sola jugada gana: ¿cuál?
page-exercise-task-only-draw = Juega { $color }. Una sola jugada salva el empate: ¿cuál?
page-exercise-task-play-out = Juega { $color } y va ganando. Gana la partida.
page-exercise-task-repertoire = Juega { $color }. ¿Qué juegas aquí?
page-exercise-reply-people = { $square } es lo que juega la gente.
page-exercise-reply-book = { $square } viene del libro.
page-exercise-defence = La mejor defensa es { $square }.
page-exercise-still = Sigues ganando.
page-exercise-slip = { $square } no voltea nada. Prueba otra casilla.
page-exercise-right = ¡Sí!
page-exercise-wins = { $square } gana { $result }.
page-exercise-draws = { $square } empata { $result }.
page-exercise-loses = { $square } pierde { $result }.
page-exercise-estimate = { $square } vale alrededor de { $value }.
page-exercise-better = Mejor:
page-exercise-played = En la partida se jugó { $square }.
page-exercise-book-right = Sí, { $square } es la mejor.
page-exercise-book-equal = Sí, { $square } es tan buena como { $best }.
page-exercise-book-playable = { $square } se puede jugar, pero { $best } es mejor.
page-exercise-book-mistake = { $square } es un error: pierde unas { $count } fichas. { $best } es mejor.
page-exercise-worth = vale { $value }
page-exercise-again = Vuelve { $when }
page-exercise-today = hoy mismo
page-exercise-next = Siguiente
page-exercise-play = Jugarla hasta el final
page-exercise-study = En el estudio
page-exercise-follows = Qué sigue a { $square }
page-exercise-line = La línea con { $square }
page-exercise-forget = No repetir
page-exercise-none = Eso es todo por ahora.
page-exercise-next-due = El próximo viene { $when }.
page-exercise-line-ends = Esta línea ya está fuera del libro.
page-exercise-another = Otra línea
page-exercise-theme-corner-refused = Mejor no tomar la esquina
page-exercise-theme-corner-given = Se entrega una esquina
page-exercise-theme-x-square = En diagonal junto a una esquina
page-exercise-theme-c-square = En el borde junto a una esquina
page-exercise-theme-pass = El rival tiene que pasar
page-exercise-theme-quiet = Una jugada tranquila
page-exercise-theme-parity = La última jugada de una zona

## Page: levels

page-strength-newcomer = Coge todas las fichas que puede. Déjala: solo cuentan las del final.
page-strength-beginner = Juega casi cualquier cosa. Toma una esquina en cuanto puedas: allí nadie te voltea la ficha.
page-strength-learner = Sabe jugar bien y a menudo lo olvida. No pises las casillas junto a una esquina vacía y te la acabará dando.
page-strength-easy = También quiere las esquinas, pero falla mucho. Al principio, mejor pocas fichas y muchas jugadas que muchas fichas.
page-strength-casual = Suele jugar con sentido. Déjale pocas jugadas y tendrá que hacer una mala.
page-strength-regular = Rara vez regala una esquina, pero no piensa en tu respuesta. Piensa tú en la suya y tendrás ventaja.
page-strength-keen = Piensa en tu respuesta a cada jugada, pero aún tiene despistes. Espéralos y aprovéchalos.
page-strength-steady = Tiene menos despistes y juega las diez últimas casillas sin un fallo. Ponte por delante antes.
page-strength-club = Solo comete errores pequeños. Hace falta un plan para los bordes, no solo para las esquinas.
page-strength-sharp = Casi nunca se despista y juega las doce últimas casillas sin un fallo. Pero no ve más allá de tu respuesta.
page-strength-strong = Ve tres jugadas por delante. Hacen falta jugadas tranquilas que no le dejen nada seguro.
page-strength-tournament = Ve cuatro jugadas por delante y nunca se descuida: cada error tuyo cuenta.
page-strength-champion = Ve cinco jugadas por delante y juega las catorce últimas casillas sin un fallo. Hace falta estudiar.
page-strength-expert = Ve seis jugadas por delante y juega las dieciséis últimas casillas sin un fallo. Perder por poco ya es jugar bien.
page-strength-master = Ve ocho jugadas por delante. Cuenta con perder, y con aprender dónde.
page-strength-grandmaster = Ve diez jugadas por delante y juega las dieciocho últimas casillas sin un fallo. Un empate es un triunfo.
page-strength-superhuman = Ve catorce jugadas por delante y juega las veinte últimas casillas sin un fallo. Aun así, «Perfecto» le gana por unas 4 fichas.
page-strength-perfect = Ve hasta veintidós jugadas por delante y juega las veintiséis últimas casillas sin un fallo. Aquí no hay nada más fuerte.

## Page: game cards

page-mark-won = Ganada
page-mark-lost = Perdida
page-mark-draw = Empate

## Page: people

# Nombres, puntuaciones, relojes
page-people-guest = Invitado
page-rating = Puntuación
page-rating-games = Partidas
page-ratings = Puntuaciones
page-ratings-none = Ninguna partida puntuada todavía.
page-provisional = El signo de interrogación: hay pocas partidas detrás y la puntuación aún cambia deprisa.
page-rated = puntuada
page-casual = amistosa
page-rated-switch = Partida puntuada
page-rated-note = Cuenta para la puntuación de ambos. Sin deshacer jugadas y sin pausas.
page-rated-link-note = Quien abra el enlace necesita una cuenta.
page-rated-needs-clock = Una partida puntuada necesita reloj: elige uno arriba.
page-pace-none = sin reloj
page-pace-minutes = { $minutes } min
page-pace-plus = { $minutes } min + { $seconds } s
page-pace-periods = { $minutes } min + { $periods } × { $seconds } s
page-pace-days = { $days ->
        [one] 1 día por jugada
       *[other] { $days } días por jugada
    }
page-speed-of = Ritmo
page-speed-of-blitz = Relámpago
page-speed-of-rapid = Rápida
page-speed-of-slow = Lenta
page-speed-of-correspondence = Por días
page-category-balanced = { $speed }, apertura equilibrada

# Jugar con alguien
page-quick = Juega con alguien
page-quick-blitz = 3 + 2
page-quick-rapid = 10 min
page-quick-slow = 20 min
page-quick-correspondence = 3 días
page-quick-balanced = Apertura equilibrada
page-quick-looking = Buscando rival…
page-quick-stop = Parar
page-quick-meanwhile = Quédate en esta página o juega mientras contra el ordenador: en cuanto venga alguien, irás a la partida.
page-quick-guest = Sin cuenta juegas partidas amistosas. Con una, también puntuadas.
page-quick-lobby = { $offers ->
        [0] Sala
        [one] Sala: 1 propuesta abierta
       *[other] Sala: { $offers } propuestas abiertas
    }
page-lobby-count = { $players ->
        [one] 1 persona aquí
       *[other] { $players } personas aquí
    }, { $games ->
        [one] 1 partida
       *[other] { $games } partidas
    }
page-paired = Empieza tu partida.
page-begun = Ha empezado una partida por correspondencia.
page-begun-go = Ir a la partida
page-begun-later = Más tarde
page-people-offer-lost = Se ha cortado la conexión y tu propuesta se ha perdido. Hazla otra vez si todavía quieres jugar.
page-admin-owner = propietario

# Sala
page-lobby-title = Sala
page-lobby-closed = En este servidor no hay sala. Quien lo administra puede abrirla.
page-lobby-empty = Ahora mismo no espera nadie.
page-lobby-empty-help = Pulsa un ritmo o haz una propuesta: te avisamos cuando venga alguien. Mientras, juega contra el ordenador.
page-proposal-make = Proponer partida
page-proposal-take = Jugar
page-proposal-withdraw = Retirar
page-proposal-yours = Tu propuesta
page-proposal-to = Tu reto a { $name }
page-proposal-gone = ya no está
page-proposal-balanced = apertura equilibrada
page-proposal-black = juegas con negras
page-proposal-white = juegas con blancas
page-proposal-toss = colores a sorteo
page-proposal-title = Proponer una partida
page-proposal-time = Tiempo
page-proposal-time-minutes = Minutos
page-proposal-time-days = Días
page-proposal-field-minutes = Minutos por jugador
page-proposal-field-increment = Segundos que suma cada jugada
page-proposal-field-days = Días por jugada
page-proposal-field-from = Puntuación desde
page-proposal-field-upTo = Puntuación hasta
page-proposal-number = Escribe un número de { $low } a { $high }.
page-proposal-range = Solo para ciertas puntuaciones

# Retos
page-challenge = Retar
page-challenge-title = Retar a { $name }
page-challenge-sent = { $name } ha recibido tu reto. Te avisamos si acepta.
page-challenge-from = { $name } te reta
page-challenge-declined = { $name } rechaza tu reto.
page-challenge-accept = Aceptar
page-challenge-decline = Rechazar
page-challenges = Retos
page-challenged = { $name } te reta: { $terms }

# Una persona
page-person-online = está aquí
page-person-since = Aquí desde el { $date }
page-person-games = Partidas
page-person-games-none = Todavía no ha jugado con nadie.
page-person-more = Mostrar más
page-block = Bloquear
page-unblock = Desbloquear
page-blocked-note = Has bloqueado a esta persona: ninguno ve las propuestas del otro y no puede retarte.
page-results = Resultados
page-results-color-black = Con negras
page-results-color-white = Con blancas
page-results-opening-standard = Apertura normal
page-results-opening-balanced = Apertura equilibrada
page-results-speed-blitz = Relámpago
page-results-speed-rapid = Rápida
page-results-speed-slow = Lenta
page-results-speed-correspondence = Por días
page-results-speed-none = Sin reloj
page-won = Ganadas
page-drawn = Empates
page-lost-games = Perdidas

# Los mejores
page-leaders-title = Clasificación
page-leaders-place = Puesto
page-leaders-name = Nombre
page-leaders-none = Aquí nadie tiene todavía una puntuación firme. Hacen falta unas cuantas partidas puntuadas.

# Cuenta
page-account-title = Cuenta
page-account-lead = Para jugar no necesitas cuenta. Con una, tus partidas y tu puntuación te siguen a cualquier dispositivo.
page-account-games = Puntuación y partidas
page-sign-up = Cuenta nueva
page-sign-make = Crear la cuenta
page-sign-recover = Recuperar la cuenta
page-sign-out = Cerrar sesión
page-sign-forgot = ¿Has olvidado la contraseña?
page-sign-back = Volver a entrar
page-sign-busy = Un momento…
page-sign-claim = Las partidas que has jugado en este navegador se vienen contigo.
page-handle = Nombre
page-handle-note = De 3 a 20 letras sin acentos, cifras, - o _, empezando por una letra.
page-password = Contraseña
page-password-note = Al menos 10 caracteres. Varias palabras son mejor que una.
page-password-show = Mostrar la contraseña
page-password-old = Contraseña actual
page-password-new = Contraseña nueva
page-password-change = Cambiar la contraseña
page-password-changed = La contraseña ha cambiado. En los demás dispositivos se ha cerrado la sesión y las claves de los programas ya no sirven.
page-code = Código de recuperación
page-sessions = Sesiones abiertas
page-session-here = aquí
page-session-end = Cerrarla
page-session-unknown = Un navegador desconocido
page-recovery = Códigos de recuperación
page-recovery-text = Un código te deja entrar si has olvidado la contraseña; cada uno vale una vez. Los códigos nuevos anulan los viejos.
page-recovery-new = Códigos nuevos
page-once-recovery = Guarda estos códigos
page-once-recovery-text = Cada uno te deja entrar una vez si olvidas la contraseña. Solo se muestran ahora: no hay correo ni otra forma de volver.
page-once-token = Guarda esta clave
page-once-token-text = Solo se muestra ahora. Quien la tenga puede actuar por ti; si se pierde, anúlala aquí.
page-once-reset = Entrega este código
page-once-reset-text = Deja entrar una vez a esta persona para elegir otra contraseña. Solo se muestra ahora.
page-codes-copy = Copiar
page-codes-save = Guardar en un archivo
page-codes-done = Listo
page-tokens = Programas
page-tokens-text = Con una clave, un programa entra con tu nombre.
page-token-name = Para qué es
page-token-name-wrong = Ponle un nombre para reconocerla después.
page-token-scope = Puede
page-token-play = jugar
page-token-read = solo mirar
page-token-make = Crear una clave
page-token-end = Anular
page-token-unused = sin usar
page-bot-is = En esta cuenta juega un programa. Todos lo ven.
page-bot-text = Si en esta cuenta juega un programa, dilo antes de su primera partida puntuada. No se puede deshacer.
page-bot-title = ¿Juega aquí un programa?
page-bot-become = Aquí juega un programa

# Llaves de acceso
page-passkeys = Llaves de acceso
page-passkeys-text = Con una llave de acceso en el móvil, el ordenador o una llave de seguridad entras sin nombre ni contraseña. Tu contraseña sigue valiendo.
page-passkeys-not-here = Las llaves de acceso necesitan https y un nombre: no se pueden crear si esta página está abierta por http o por el número de una máquina. En esta misma máquina, ábrela como localhost.
page-passkey-add = Añadir una llave de acceso
page-passkey-added = La llave de acceso está creada. Ya puedes entrar con ella.
page-passkey-remove = Quitar
page-passkey-removed = Aquí la llave de acceso ya no vale. Puede que tu dispositivo aún la ofrezca: bórrala allí.
page-passkey-made = creada: { $when }
page-passkey-seen = último uso: { $when }
page-passkey-unseen = sin usar
page-passkey-site = para { $site }
page-passkey-sign-in = Entrar con una llave de acceso
page-people-wrong-passkey = Esa llave de acceso no vale aquí. Entra con tu nombre y tu contraseña.
page-people-passkey-late = Se ha acabado el tiempo. Inténtalo de nuevo.
page-people-passkey-stopped = No se ha usado ninguna llave de acceso: se ha cancelado o aquí no hay ninguna. Inténtalo de nuevo o usa tu contraseña.
page-people-has-passkey = Este dispositivo ya tiene una llave de acceso para tu cuenta.
page-people-too-many-passkeys = Una cuenta tiene como mucho 20 llaves de acceso. Quita una primero.
page-people-no-passkeys-here = Las llaves de acceso necesitan https y un nombre, o localhost.

# Administrar el servidor
page-admin-title = Administrar el servidor
page-admin-not-yours = Solo puede hacerlo quien administra este servidor. Abre su enlace, que aparece donde se puso en marcha.
page-admin-doors = Abierto a los demás
page-admin-lobby = Sala
page-admin-lobby-note = Quien llegue a este servidor podrá buscar partidas con desconocidos. Sin sala, la página de inicio es la de una casa.
page-admin-registration = Cuentas nuevas
page-admin-registration-note = Si cualquiera puede crear una. Las que hay se quedan.
page-admin-announce = Aviso
page-admin-announce-text = Lo que leerán todos
page-admin-announce-note = Hasta 280 caracteres. Vacío, no se muestra nada.
page-admin-announce-save = Avisar
page-admin-saved = Guardado.
page-admin-people = Cuentas
page-admin-find = Nombre o parte de él
page-admin-nobody = No hay nadie con ese nombre.
page-admin-suspend = Suspender
page-admin-suspend-title = ¿Suspender a { $name }?
page-admin-suspend-text = Se cierra su sesión en todas partes y no podrá entrar hasta que restaures la cuenta. Sus partidas se quedan.
page-admin-restore = Restaurar
page-admin-reset = Restablecer
page-admin-reset-title = ¿Restablecer la contraseña de { $name }?
page-admin-reset-text = Se cierra su sesión en todas partes y su contraseña deja de valer. Recibirás un código para dárselo.
page-admin-audit = Lo que se ha hecho
page-admin-audit-none = Nada todavía.
page-suspended = cuenta suspendida
page-fair-play = Juego limpio
page-fair-games = Partidas puntuadas en los últimos { $days } días: { $games }, ganadas: { $won }
page-fair-most = Rival más frecuente, { $name }: { $games } ({ $percent }), ganadas: { $won }
page-fair-early = Abandonadas antes de la jugada 20: { $resigned }; perdidas por tiempo o por irse: { $left }
page-fair-aborted = Anuladas antes de empezar: { $games }
page-fair-compare = Comparar con el motor
page-fair-progress = { $games } de { $of } partidas comparadas
page-fair-stop = Parar
page-fair-others = Rivales
page-fair-moves = Jugadas comparadas
page-fair-loss = Fichas perdidas por jugada
page-fair-best = Mejores jugadas
page-fair-ending = Mejores jugadas en los finales
page-fair-game = { $loss } fichas perdidas por jugada, { $best } mejores; el rival, { $otherloss } y { $otherbest }
page-fair-note = Estas cifras son un indicio que conviene mirar, nunca una prueba. No cuentan las jugadas del libro de aperturas ni aquellas en las que apenas hay donde elegir. Quien juega bien coincide a menudo con el motor, y ante un rival flojo coincide cualquiera.
page-fair-version = Comparado por Outflank { $version }.
page-people-comparing = Hay otra comparación en marcha: párala o espera a que termine.
page-admin-end-owner = Cerrar mis otros navegadores
page-admin-end-owner-note = Si pierdes un navegador o alguien vio el enlace de propietario, esto cierra tu sesión en todos los demás y anula el enlace. El servidor escribe otro cuando vuelve a arrancar.
page-admin-end-owner-done = Ahora solo administras el servidor desde este navegador, y el enlace escrito ya no vale.
page-deed-end-owner = Se cerraron los demás navegadores del propietario y se anuló el enlace
page-deed-registration-opened = Cuentas nuevas permitidas
page-deed-registration-closed = Cuentas nuevas cerradas
page-deed-lobby-opened = Sala abierta
page-deed-lobby-closed = Sala cerrada
page-deed-announce = Aviso: { $text }
page-deed-announce-nothing = Aviso retirado
page-deed-unknown = Algo que esta versión no conoce
page-deed-suspend = { $name }: cuenta suspendida
page-deed-restore = { $name }: cuenta restaurada
page-deed-reset = { $name }: contraseña restablecida

# Por qué no
page-people-failed = No ha funcionado y nada ha cambiado. Inténtalo de nuevo en un momento.
page-people-away = No se puede llegar al servidor. Lo que has escrito sigue aquí; inténtalo de nuevo en un momento.
page-people-bad-handle = Un nombre tiene de 3 a 20 letras sin acentos, cifras, - o _, y empieza por una letra.
page-people-handle-taken = Ya hay alguien con ese nombre. Prueba otro.
page-people-no-password = Escribe la contraseña.
page-people-wrong-password = Ese nombre y esa contraseña no van juntos.
page-people-wrong-old-password = Esa no es tu contraseña.
page-people-registration-closed = Por ahora aquí no se crean cuentas nuevas.
page-people-suspended = Esta cuenta está suspendida. Habla con quien administra el servidor.
page-people-bad-password-length = Una contraseña tiene de 10 a 128 caracteres.
page-people-common-password = Mucha gente tiene esa contraseña, o es fácil de adivinar. Elige varias palabras.
page-people-wrong-code = Ese nombre y ese código no van juntos, o el código ya se ha usado.
page-people-not-signed-in = Ya no tienes la sesión abierta.
page-people-not-owner = Solo puede hacerlo quien administra este servidor, ante la máquina o con su enlace.
page-people-not-by-token = La cuenta de quien administra no tiene claves: crea otra para un programa.
page-people-has-account = Ya has entrado con tu cuenta.
page-people-rated-already = Una persona ha jugado partidas puntuadas con este nombre. Crea otra cuenta para el programa.
page-people-started-so = El servidor se puso en marcha de modo que esto no se puede cambiar mientras funciona.
page-people-bad-announcement = Un aviso tiene como mucho 280 caracteres visibles.
page-people-bad-name = Usa de 1 a 24 caracteres visibles.
page-people-busy = Ahora mismo está entrando mucha gente. Inténtalo de nuevo en un momento.
page-people-lobby-closed = La sala está cerrada.
page-people-no-such-offer = Alguien se ha adelantado, o la propuesta se ha retirado.
page-people-no-such-person = Aquí no hay nadie con ese nombre.
page-people-needs-account = Para las partidas puntuadas, los retos y las partidas por correspondencia hace falta una cuenta: entra, o juega ahora una amistosa.
page-people-not-for-you = Esta propuesta es para jugadores con otra puntuación.
page-people-not-wanted = No jugáis el uno contra el otro.

## Page: library
page-library-loading = Un momento…
page-library-size =
    { $games ->
        [one] { $games } partida
       *[other] { $games } partidas
    }, { $players ->
        [one] { $players } jugador
       *[other] { $players } jugadores
    }, { $tournaments ->
        [one] { $tournaments } torneo
       *[other] { $tournaments } torneos
    }
page-library-not-yours = Esta biblioteca es de quien lleva el servidor.
page-library-unreadable = Ahora mismo no se puede leer la biblioteca. No se ha cambiado nada en ella.
page-library-bad-moves = Esas jugadas no se pueden hacer: la dirección no es correcta.
page-library-empty = Una biblioteca de partidas
page-library-empty-what = Añade partidas que jugaron otros y mira, en cualquier posición, qué se jugó, cuántas veces y cómo acabó. Cada partida se abre en el estudio.
page-library-empty-where = Un buen comienzo es WTHOR, la base de datos de partidas de torneo de la federación francesa: suelta aquí sus archivos juntos, también los de los nombres (.JOU, .TRN). Las partidas que termines aquí se añaden solas.

# Adding
page-library-add = Añadir partidas
page-library-files = Archivos de partidas
page-library-drop = Suelta archivos aquí
page-library-choose = Elegir archivos
page-library-formats = WTHOR, PGN, GGF, SGF, listas de jugadas; comprimidos (.zip, .gz) o no
page-library-paste = O pega partidas como texto
page-library-add-text = Añadir este texto
page-library-adding = Añadiendo partidas
page-library-added =
    { $added ->
        [one] { $added } partida añadida
       *[other] { $added } partidas añadidas
    }, { $there } ya { $there ->
        [one] estaba
       *[other] estaban
    }, { $refused } no { $refused ->
        [one] entró
       *[other] entraron
    }.
page-library-not-added = No se ha añadido nada: el servidor no lo aceptó. Quizá sea demasiado de una vez.
page-library-failed = Se detuvo antes de tiempo: no se pudo escribir en la biblioteca. Lo que ya se había añadido se queda.

# Position
page-library-position = Posición
page-library-start = Inicio
page-library-back = Una jugada atrás
page-library-line-played = Jugadas hasta aquí
page-library-next = Qué se jugó aquí
page-library-move = Jugada
page-library-games = Partidas
page-library-went = Resultado
page-library-average = Media
page-library-average-note = Fichas negras menos blancas, de media
page-library-all = Todas
page-library-outcome = Ganan negras { $black } %, empates { $draws } %, ganan blancas { $white } %

# Searching
page-library-search = Buscar
page-library-player = Jugador
page-library-tournament = Torneo
page-library-from = Desde el año
page-library-to = Hasta el año
page-library-result = Resultado
page-library-result-any = Cualquiera
page-library-result-black = Ganan negras
page-library-result-white = Ganan blancas
page-library-result-draw = Empate
page-library-found-title = Partidas encontradas
page-library-found =
    { $games ->
        [one] { $games } partida
       *[other] { $games } partidas
    }
page-library-none = No hay ninguna partida así en la biblioteca.
page-library-more = Mostrar más
page-library-unknown = Desconocido
page-library-export = Guardarlas como

# Keeping
page-library-sources = De dónde vienen las partidas
page-library-own = Mis partidas terminadas se añaden a la biblioteca
page-library-own-games = Partidas jugadas aquí
page-library-pasted = Texto pegado
page-library-remove = Quitar esta partida
page-library-remove-text = { $players } sale de la biblioteca. El archivo del que vino se queda como está.
page-library-remove-all = Quitar estas partidas
page-library-remove-all-text = Todas las partidas de { $source } salen de la biblioteca. El archivo se queda como está.
page-library-keep = Conservar

## Page: playing people

# Partidas por correspondencia
page-clock-kind-per-move = Días por jugada
page-clock-field-days = Días para cada jugada
page-clock-field-days-wrong = Escribe un número entero de días, de { $low } a { $high }.
page-card-until = juega antes del { $when }

# Quien juega, si es un programa
page-bot = Ordenador

# Una primera jugada que se espera
page-first-move-you = Haz tu primera jugada en { $seconds } s o la partida acabará sin resultado.
page-first-move-they = A { $name } le quedan { $seconds } s para la primera jugada.

# Un jugador que se ha ido
page-claim-soon = { $name } se ha ido. Podrás reclamar la partida en { $seconds } s.
page-claim-now = { $name } se ha ido. Reclama la partida, declara un empate o espera.
page-claim-win = Reclamar la victoria
page-claim-draw = Declarar empate
page-claim = El otro jugador se ha ido
page-abort = Anular
page-result-aborted = Sin resultado.
page-why-black-aborted = Negro no la jugó.
page-why-white-aborted = Blanco no la jugó.
page-why-you-aborted = No la jugaste.
page-why-black-left = Negro se fue de la partida.
page-why-white-left = Blanco se fue de la partida.
page-why-you-left = Te fuiste de la partida.

# Una pausa
page-offer-pause = { $name } pide una pausa.
page-offer-resume = { $name } quiere seguir.
page-offer-yours-pause = Le has pedido una pausa a { $name }.
page-offer-yours-resume = Le has pedido a { $name } seguir.
page-remark-paused = La partida está en pausa. Ningún reloj corre.
page-remark-resumed = La partida sigue.
page-resume = Seguir

# Una jugada elegida de antemano
page-premove = Todavía no: le toca a { $color }. Tu jugada { $square } espera.
page-premove-cancelled = Tu jugada { $square } queda anulada.
page-premove-illegal = Ahora no se puede jugar { $square }.
page-square-premove = tu próxima jugada

# Quienes miran
page-watchers = { $count ->
        [one] 1 persona mira
       *[other] { $count } personas miran
    }

# Lo que se dicen los jugadores
page-talk = Decir
page-talk-said = Lo que se ha dicho
page-said = { $name }: { $phrase }
page-phrase-hello = ¡Hola!
page-phrase-good-luck = ¡Suerte!
page-phrase-well-played = ¡Bien jugado!
page-phrase-thanks = Gracias.
page-phrase-sorry = Perdón.
page-phrase-one-moment = Un momento, por favor.
page-phrase-good-game = ¡Buena partida!
page-phrase-that-was-close = ¡Por poco!

# Por qué algo de esto no se hace
page-refused-rated = Es una partida puntuada: se juega hasta el final.
page-refused-too-late-to-abort = La partida ya ha empezado. Puedes abandonar.
page-refused-no-claim = Esta partida no se puede reclamar.
page-refused-not-away-yet = El otro jugador estaba aquí hace un momento.
page-refused-paused = La partida está en pausa.
page-refused-nothing-to-pause = No hay nada que pausar ni que reanudar.
page-refused-said-enough = Ya has dicho bastante por ahora.

# Avisar de que te toca
page-turn-notice = Te toca
page-turn-notice-text = contra { $name }

## Page: talk, watching and notices

page-talk-title = Decir algo
page-join-rated = Cuenta para la puntuación de los jugadores.
page-talk-note = Cada cual lo lee en su idioma. Quienes miran lo leen al acabar la partida.
page-talk-show = Mostrar lo que dice el otro jugador
page-talk-pause = Pedir una pausa
page-talk-pause-alone = Pausar
page-watch-link = Enlace para mirar
page-watch-link-note = Quien lo tenga ve la partida y no puede jugar.
page-set-notify = Avísame cuando me toque
page-set-notify-note = Solo mientras haya una página de Outflank abierta en este navegador.
page-set-notify-blocked = Este navegador no lo permite.
page-time-per-move = { $days ->
        [one] 1 día para cada jugada
       *[other] { $days } días para cada jugada
    }

## Command line: load, bot and moving data

# outflank load, y lo que comparte con outflank bot
cli-help-value-url = URL
cli-help-value-milliseconds = MILISEGUNDOS
cli-help-value-log = REGISTRO
cli-help-load = Jugar muchas partidas con conexiones reales contra un servidor tuyo y decir qué velocidad alcanzó
cli-help-load-server = Dónde está el servidor, por ejemplo http://127.0.0.1:8464 o https://club.example; indicado varias veces, sus nodos: los dos jugadores de una partida usan nodos distintos
cli-help-load-games = Cuántas partidas a la vez, cada una entre dos invitados; 50 si no se indica
cli-help-load-seconds = Durante cuánto tiempo; 10 segundos si no se indica
cli-help-load-think = Cuánto piensan los jugadores cada jugada por término medio; nada si no se indica
cli-help-load-log = Escribir en este archivo lo que se le dijo a cada jugador, para --check
cli-help-load-yes_this_is_my_server = Cargar un servidor que no está en este equipo
cli-help-load-check = En su lugar: comparar un archivo así con las partidas que guarda un servidor; código de salida 1 si algo falta, está repetido o en otro orden
cli-help-load-data = La carpeta con las partidas de ese servidor, que debe estar parado
cli-help-load-database = La base de datos de esas partidas, por ejemplo postgres://nombre@equipo/base; los servidores pueden seguir
cli-help-load-json = Responder en JSON, para programas
cli-load-stopped = no se puede trabajar: { $reason }
cli-load-no-server = indica el servidor con --server
cli-load-no-data = indica dónde están las partidas con --data o --database
cli-load-not-here = { $address } no está en este equipo; si es tu servidor, añade --yes-this-is-my-server
cli-error-unreachable = no se puede llegar a { $address }: { $reason }
cli-load-unwritable = no se puede escribir { $path }: { $reason }
cli-load-bad-line = { $path }, línea { $line }: no la escribió outflank load
cli-load-result = { $acknowledged } jugadas confirmadas en { $games } partidas, { $rate } por segundo; la mitad en menos de { $p50 } ms, el 99 % en menos de { $p99 } ms; { $errors } errores
cli-load-waited = El servidor hizo esperar a los clientes { $times ->
    [one] una vez
   *[other] { $times } veces
} antes de empezar otra partida.
cli-load-trouble = { $times } × { $what }
cli-load-checked = { $acknowledged } jugadas confirmadas y lo que vieron { $observers } jugadores en { $games } partidas, comparado con lo guardado: { $faults ->
    [0] está todo, una vez y en orden
    [one] un fallo
   *[other] { $faults } fallos
}
cli-load-no-game = { $game }: la partida no está
cli-load-lost = { $game }: { $square } se confirmó como anotación { $seq } y no está
cli-load-twice = { $game }: la orden { $id } está más de una vez
cli-load-order = { $game }: a { $client } se le habló de la anotación { $seq } después de otra posterior
cli-load-saw = { $game }: { $client } vio otra jugada { $number } que la guardada
cli-load-unrated = { $game }: la partida era puntuada y no ha cambiado ninguna puntuación
cli-load-rating = { $of }: la puntuación no es la que resulta de sus partidas

# Trasladar todo a otra clase de base de datos
cli-help-move-data = Trasladar todo de una carpeta de datos a una base de datos PostgreSQL, o al revés; mientras tanto no debe haber ningún servidor en marcha
cli-help-move-data-from = Dónde está todo: una carpeta de datos o postgres://nombre:contraseña@servidor:puerto/base
cli-help-move-data-to = Adónde va: una carpeta o una base de datos en la que aún no hay nada
cli-error-data-unreachable = no se puede usar { $place }: { $reason }
cli-move-data-done = Se han trasladado { $rows } filas y se han comparado todas. El origen queda como estaba.
cli-move-data-nothing = no hay partidas que trasladar en { $place }
cli-move-data-not-empty = { $place } no está vacío; no se ha trasladado nada
cli-move-data-different = la copia de la tabla { $table } no es igual; no se ha trasladado nada
cli-move-data-failed = no se ha trasladado nada: { $reason }
cli-move-data-interrupted = Interrumpido. No se ha trasladado nada; puedes empezar de nuevo.

# outflank bot
cli-help-value-token = CLAVE
cli-help-value-command = ORDEN
cli-help-value-protocol = PROTOCOLO
cli-help-value-link = ENLACE
cli-help-bot = Jugar en un servidor con nuestro motor o con otro
cli-help-bot-server = Dónde está el servidor, por ejemplo http://127.0.0.1:8464 o https://club.example
cli-help-bot-token = La clave de acceso de la cuenta que juega; también con la variable OUTFLANK_TOKEN, que otros en este equipo no ven
cli-help-bot-level = Con qué fuerza juega, por número o nombre; con toda si no se indica
cli-help-bot-engine = Que juegue en su lugar este programa
cli-help-bot-protocol = Lo que habla ese programa: gtp, como si no se indica, o nboard
cli-help-bot-minutes = Ofrecer partidas de tantos minutos por jugador; 5 si no se indica
cli-help-bot-increment = Y tantos segundos más con cada jugada
cli-help-bot-casual = Ofrecer partidas que no cuentan para la puntuación
cli-help-bot-games = Terminar después de tantas partidas; sigue jugando si no se indica
cli-help-bot-join = Ocupar el asiento de este enlace de invitación, jugar esa partida y terminar
cli-help-bot-name = Cómo se llama allí
cli-help-bot-hash = Megabytes de memoria para recordar posiciones; 64 si no se indica
cli-bot-ready = Conectado a { $address }; con Ctrl-C acaba la partida que está jugando, dos veces termina al momento
cli-bot-ready-as = Conectado a { $address } como { $name }; con Ctrl-C acaba la partida que está jugando, dos veces termina al momento
cli-bot-waits = Esperando a un rival
cli-bot-game = Partida { $game }, juega con { $color ->
    [black] negras
    [white] blancas
   *[other] los dos colores
}
cli-bot-over = La partida { $game } ha terminado: { $difference ->
    [0] empate
   *[other] { $difference } fichas
}
cli-bot-lost = se ha perdido la conexión con { $address } ({ $reason }); se intenta de nuevo
cli-bot-later = El servidor dice: { $text } ({ $why }); se vuelve a intentar
cli-bot-refused = el servidor lo rechaza: { $text } ({ $why })
cli-bot-persons-account = { $name } es la cuenta de una persona, y un programa no juega con ella partidas puntuadas: pulsa «Aquí juega un programa» en la página de la cuenta o juega con --casual
cli-bot-bad-link = { $link } no es un enlace de invitación
cli-bot-no-engine = indica el programa con --engine
cli-bot-trouble = el motor no puede seguir: { $why }; la partida sigue en el servidor como estaba
