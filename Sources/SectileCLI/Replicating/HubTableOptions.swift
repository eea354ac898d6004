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
    name: .customLong("columns"),
    help: ArgumentHelp(
      "The columns of a table that the replica gets, including those of its key; all by default. With auto, tables that no other --columns names are had without the columns of types that replicas do not have.",
      valueName: "table=a,b|auto"))
  var columnChoices: [ColumnChoice] = []

  @Option(
    name: .customLong("numeric"),
    help: ArgumentHelp(
      "How numeric columns of a table are had: with a number of digits behind the point as INTEGER of the smallest unit, as real, or as text, the default.",
      valueName: "table=price:2,rate:real"))
  var numeric: [NamedArgument] = []

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
    for argument in numeric where Self.numericForms(argument.value) == nil {
      throw ValidationError("--numeric takes \(argument.name)=column:2 or column:real.")
    }
    for (option, arguments) in [
      ("columns", columns), ("where", conditions), ("numeric", numeric),
    ] {
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

  /// The columns that are named.
  private var columns: [NamedArgument] {
    columnChoices.compactMap { choice -> NamedArgument? in
      if case .named(let argument) = choice { argument } else { nil }
    }
  }

  /// Whether columns that replicas do not have are left out.
  var omitsUnsupportedColumns: Bool {
    columnChoices.contains { choice -> Bool in
      if case .auto = choice { true } else { false }
    }
  }

  /// The forms of columns: a number of digits, or a word; nil for a text that names none.
  private static func numericForms(_ text: String) -> [(column: String, form: String)]? {
    var forms: [(column: String, form: String)] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let colon = part.lastIndex(of: ":"), colon != part.startIndex else { return nil }
      let form = String(part[colon...].dropFirst())
      guard ["real", "text"].contains(form) || Int(form) != nil else { return nil }
      forms.append((String(part[..<colon].trimmingPrefix(while: \.isWhitespace)), form))
    }
    return forms
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
        var subscription = TableSubscription(
          table, columns: names.map { $0.map { String($0.trimmingPrefix(while: \.isWhitespace)) } },
          where: conditions.first { $0.name == table }?.value)
        subscription.omitsUnsupportedColumns = omitsUnsupportedColumns
        let forms = numeric.first { $0.name == table }.flatMap { Self.numericForms($0.value) } ?? []
        for (column, form) in forms {
          let other = form == "real" ? TableSubscription.NumericForm.real : .text
          subscription.numericForms[column] =
            Int(form).map { TableSubscription.NumericForm.decimal(scale: $0) } ?? other
        }
        return subscription
      }
    }
  #endif
}

/// Which columns of tables are had.
enum ColumnChoice: ExpressibleByArgument {
  /// Those that replicas can have.
  case auto
  /// Those of a table that are named.
  case named(NamedArgument)

  init?(argument: String) {
    if argument == "auto" {
      self = .auto
    } else {
      guard let named = NamedArgument(argument: argument) else { return nil }
      self = .named(named)
    }
  }
}
