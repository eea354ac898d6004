internal import ArgumentParser

/// Which columns are wanted.
struct ColumnOptions: ParsableArguments {
  @Option(
    name: .customLong("columns"),
    help: ArgumentHelp(
      "Which columns to show, with commas between them; all of them by default.",
      valueName: "a,b"), completion: .custom(SchemaCompletion.columnLists))
  var list: String?

  /// The names; none for all columns.
  var names: [String] { Self.names(in: list ?? "") }

  /// Returns the names in a list with commas between them.
  static func names(in list: String) -> [String] {
    list.split(separator: ",").map { name in
      String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }

  func validate() throws {
    if list != nil && names.allSatisfy(\.isEmpty) {
      throw ValidationError("--columns names columns, as in --columns id,name.")
    }
  }
}
