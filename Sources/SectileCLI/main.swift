// Alone in its file: the fuzzing targets take all the others.
SectileCommand.main()
