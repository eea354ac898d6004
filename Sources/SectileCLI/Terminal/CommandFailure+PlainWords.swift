extension CommandFailure {
  /// What the library's hints say to programs, and what people at a prompt can do instead.
  static let plainWords: [(library: String, tool: String)] = [
    ("store.changeLog.enable(), or with ", ""),
    ("; the store creates only the file", ""),
    ("Give a file path, or use Store.inMemory.", "Name a file."),
    ("Use Store.inMemory.", "Name a file."),
    (", or open the store with isReadOnly", ""),
    ("; Store.statistics tells what is held", ""),
    ("Close the store and open it again to use", "Run the command again to use"),
    ("Open the store again to see", "Run the command again to see"),
    (": back the store up to another file first, then close it and open it again", ""),
    ("the store's own file", "the file itself"),
    (
      ", or open fewer stores at a time: a store has a handful open, and one for each of its readers",
      ""
    ),
    (", or open fewer stores at a time", ""),
    ("let the items have fewer columns", "name fewer with --columns"),
    ("; write to tables in Store.write(_:)", ""),
    (
      "Give values by name: Query(_:key:named:).",
      "Give it one with --param NAME=VALUE, without the sign."
    ),
    (
      "Name it in Query(_:key:named:), without its sign.",
      "Give it one with --param NAME=VALUE, without the sign."
    ),
    ("The first is ?1.", "The first is --param 1=VALUE."),
    (
      "Write :name, or give the values by their position.",
      "Write :NAME for --param NAME=VALUE, or give all values by number: --param 1=VALUE."
    ),
    (
      "Write names of values without their sign: [\"name\": …] for :name.",
      "--param NAME=VALUE is the value of :NAME in --sql."
    ),
    (
      "List the collation in the store's configuration.",
      "Leave the aggregate out: only the file's own program has the collation."
    ),
    (", or raise StoreConfiguration.busyTimeout", ""),
    (", or lower StoreConfiguration.cacheByteCount", ", or ask for less at a time"),
    (
      "Write in store.write, open the store without isReadOnly, and check",
      "Check"
    ),
    (
      "Open the store without StoreConfiguration.isReadOnly to write.", "Open the file for writing."
    ),
    ("call store.checkForExternalChanges(), or wait for the changeset", "wait for the next change"),
    ("Open the store again; a closed store stays closed.", "Run the command again."),
    (
      "Choose key columns that are declared NOT NULL, or the row id.",
      "Name columns that are declared NOT NULL with --key, or the row id: --key rowid."
    ),
    (
      "Choose key columns that are declared UNIQUE or PRIMARY KEY",
      "Name columns that are declared UNIQUE or PRIMARY KEY with --key"
    ),
    (
      "Let the items have the column: a change of other columns is not told.",
      "Name the column with --columns, too: a change of other columns is not told."
    ),
    (
      "Use 0 or more, or no limit at all.", "Name 0 or more with --limit, or leave it out."
    ),
  ]

  /// Returns a hint in the words of this program instead of those of the library.
  static func plain(_ hint: String) -> String {
    plainWords.reduce(hint) { $0.replacing($1.library, with: $1.tool) }
  }
}
