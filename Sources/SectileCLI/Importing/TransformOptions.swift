internal import ArgumentParser

/// What `sectile import` makes of columns on their way into the table.
struct TransformOptions: ParsableArguments {
  @Option(
    name: .customLong("map"),
    help: ArgumentHelp(
      "The table's column for one of the input, as in Name=title; INPUT= leaves it out.",
      valueName: "input=column"))
  var names: [String] = []

  @Option(
    name: .customLong("transform"),
    help: ArgumentHelp(
      "An SQL expression over the input's columns instead of a column, as in 'title=trim(Name)'.",
      valueName: "column=sql"))
  var expressions: [String] = []

  func validate() throws {
    for name in names where Self.parts(of: name) == nil {
      throw ValidationError("--map takes INPUT=COLUMN, as in --map 'Name=title': \(name)")
    }
    for expression in expressions where Self.parts(of: expression)?.value.isEmpty ?? true {
      throw ValidationError(
        "--transform takes COLUMN=EXPRESSION, as in --transform 'title=trim(Name)': \(expression)")
    }
  }

  /// What was said.
  var transform: RowTransform {
    var transform = RowTransform()
    for case let (name, value)? in names.map(Self.parts) {
      transform.names[name.lowercased()] = value
    }
    transform.expressions = expressions.compactMap(Self.parts).map {
      RowTransform.Expression(column: $0.name, sql: $0.value)
    }
    return transform
  }

  private static func parts(of text: String) -> (name: String, value: String)? {
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex else { return nil }
    return (String(text[..<sign]), String(text[text.index(after: sign)...]))
  }
}
