internal import ArgumentParser
internal import Sectile
internal import SectileInspecting

/// The options that write a SELECT in place of a table's name, alike in every subcommand that
/// fetches.
struct QueryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A SELECT whose rows are fetched, in place of a table; the other options name its columns.",
      valueName: "select"))
  var sql: String?

  @Option(
    name: .customLong("param"),
    help: ArgumentHelp(
      "The value of the SELECT's parameter :NAME, @NAME, $NAME or ?NUMBER, as NULL, a number, 'text', x'00' or other text; repeat it for more.",
      valueName: "name=value"))
  var parameters: [NamedArgument] = []

  /// Refuses a SELECT beside a table, and values without a SELECT.
  func validate(beside table: String?) throws {
    if table != nil, sql != nil {
      throw ValidationError("--table and --sql exclude each other. Leave one of them out.")
    }
    if sql == nil, !parameters.isEmpty {
      throw ValidationError("--param is the value of a parameter in --sql. Leave it out.")
    }
  }

  /// Returns the request for all rows of the SELECT, or of a table.
  ///
  /// - Parameters:
  ///   - table: The table where there is no SELECT.
  ///   - keys: The columns that tell rows apart.
  /// - Returns: The request.
  /// - Throws: ``CommandFailure`` for a parameter that has no name, or a value that is no text.
  func request(or table: String?, keys: [String]) throws -> TableRequest {
    guard let sql else { return TableRequest(table: table ?? "", keys: keys) }
    var values: [String: StoredValue] = [:]
    for (name, value) in try statementParameters().values {
      guard case .value(let value) = value else {
        throw CommandFailure(
          .usage, "the value of the parameter \(name) is not UTF-8",
          hint: "Write its bytes as a blob: --param \"\(name)=x'00ff'\".")
      }
      values[StatementParameters.nameWithoutSign(name)] = value
    }
    return TableRequest(sql: sql, values: values, keys: keys)
  }

  /// Returns the values for a SELECT that is run as it is.
  ///
  /// - Throws: ``CommandFailure`` for a parameter that has no name.
  func statementParameters() throws -> StatementParameters {
    var named = StatementParameters()
    for parameter in parameters { try named.set(parameter.name, to: parameter.value) }
    return named
  }
}
