internal import ArgumentParser

#if Postgres
  internal import SectileHub
#endif

/// Which tables of the hub a replica has, which columns and which rows.
struct HubTableOptions: ParsableArguments {
  @Option(
    name: .customLong("table"),
    help: ArgumentHelp(
      "A table of the hub; repeat it for more. Write schema.table if it is not in the default schema.",
      valueName: "table"))
  var tables: [String]

  @Option(
    help: ArgumentHelp(
      "The columns of a table that the replica gets, including those of its key; all by default.",
      valueName: "table=a,b"))
  var columns: [NamedArgument] = []

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "The rows of a table that the replica gets, as a condition in the hub's SQL over columns of the table's key; all by default.",
      valueName: "table=condition"))
  var conditions: [NamedArgument] = []

  func validate() throws {
    if let twice = Self.repeated(tables) {
      throw ValidationError("--table names \(twice) twice.")
    }
    for (option, arguments) in [("columns", columns), ("where", conditions)] {
      for argument in arguments where !tables.contains(argument.name) {
        throw ValidationError(
          "--\(option) names \(argument.name), but no --table does.")
      }
      if let twice = Self.repeated(arguments.map(\.name)) {
        throw ValidationError("--\(option) names \(twice) twice.")
      }
      if let empty = arguments.first(where: { $0.value.allSatisfy { " ,".contains($0) } }) {
        throw ValidationError("--\(option) needs a value for \(empty.name).")
      }
    }
  }

  private static func repeated(_ names: [String]) -> String? {
    var seen: Set<String> = []
    return names.first { !seen.insert($0).inserted }
  }

  #if Postgres
    /// The same for the library.
    var subscriptions: [TableSubscription] {
      tables.map { table in
        let names = columns.first { $0.name == table }?.value.split(separator: ",")
        return TableSubscription(
          table, columns: names.map { $0.map { String($0.trimmingPrefix(while: \.isWhitespace)) } },
          where: conditions.first { $0.name == table }?.value)
      }
    }
  #endif
}
