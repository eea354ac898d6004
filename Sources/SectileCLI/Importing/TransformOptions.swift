internal import ArgumentParser

/// What `sectile import` makes of columns on their way into the table.
struct TransformOptions: ParsableArguments {
  @Option(
    name: .customLong("map"),
    help: ArgumentHelp(
      "The table's column for one of the input, as in Name=title; INPUT= leaves it out.",
      valueName: "input=column"), completion: .custom(SchemaCompletion.mappedColumns))
  var names: [String] = []

  @Option(
    name: .customLong("transform"),
    help: ArgumentHelp(
      "An SQL expression over the input's columns instead of a column, as in 'title=trim(Name)'.",
      valueName: "column=sql"), completion: .custom(SchemaCompletion.assignedColumns))
  var expressions: [String] = []

  func validate() throws {
    for name in names where NamedArgument(argument: name) == nil {
      throw ValidationError("--map takes INPUT=COLUMN, as in --map 'Name=title': \(name)")
    }
    for expression in expressions
    where NamedArgument(argument: expression)?.value.isEmpty ?? true {
      throw ValidationError(
        "--transform takes COLUMN=EXPRESSION, as in --transform 'title=trim(Name)': \(expression)")
    }
  }

  /// What was said.
  var transform: RowTransform {
    var transform = RowTransform()
    for name in names.compactMap(NamedArgument.init) {
      transform.names[name.name.lowercased()] = name.value
    }
    transform.expressions = expressions.compactMap(NamedArgument.init).map {
      RowTransform.Expression(column: $0.name, sql: $0.value)
    }
    return transform
  }
}
