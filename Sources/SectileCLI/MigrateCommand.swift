internal import ArgumentParser

/// `sectile migrate`: brings a file's schema to where a folder of SQL files wants it.
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Apply a folder of SQL files to a SQLite file, each once, in order.",
    usage: """
      sectile migrate FILE --migrations DIR [--status | --dry-run] [--to V]
                      [--baseline V] [--json]
      sectile migrate new NAME [--migrations DIR]
      """,
    discussion: """
      The files are named V0001_create_package.sql, V0002_add_size.sql and so on. Each runs in a \
      transaction of its own, together with its row in the table sectile_migration. A file that \
      was edited after it was applied, one that is missing, and a new one with an old version are \
      refused before anything is written. No file undoes another, so there is no way back.

      The file is created if there is none. Applying a migration turns it to WAL mode, in which it \
      stays, and writes with synchronous=FULL. A migration writes to the files that it attaches, \
      in a dry run as well.

      EXAMPLES
        sectile migrate app.db --migrations Migrations --status
            Shows the applied and the pending files, and problems.
        sectile migrate app.db --migrations Migrations --dry-run
            Runs the pending files on a copy, and reports the result.
        sectile migrate app.db --migrations Migrations --to 3
            Applies the pending files up to version 3.
        sectile migrate app.db --migrations Migrations --baseline 1
            Takes over a file that another tool made: checks that its schema is what
            V0001_….sql makes, writes that into the ledger, and applies the rest.
        sectile migrate new add_size_column
            Writes Migrations/V0004_add_size_column.sql, to be filled in.

      A database that is called new or apply is written ./new or ./apply.
      """,
    subcommands: [MigrateApplyCommand.self, MigrateNewCommand.self],
    defaultSubcommand: MigrateApplyCommand.self)
}
