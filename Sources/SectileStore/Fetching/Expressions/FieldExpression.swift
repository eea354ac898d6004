internal import SectileCore

/// An SQL expression that stands for a value of a row, and knows the value's Swift type.
///
/// The closures of `FetchRequest.filter(_:)` and ``FetchRequest/sort(by:_:collation:nulls:)`` build
/// field expressions from the properties of an entity:
///
/// ```swift
/// request.filter { $0.installedSize > 1024 && $0.section != "libs" }
/// // WHERE ("package"."installed_size" > ?) AND ("package"."section" <> ?)
/// ```
///
/// Nothing is evaluated in Swift: SQLite computes every expression, by its own rules. Text compares
/// by bytes, or by the collation its column declares; a condition on NULL is neither true nor
/// false, and a row is wanted only where the filter is true. What SQL cannot say does not compile.
public struct FieldExpression<Value>: Sendable {
  /// The expression as a tree.
  package let expression: SQLExpression
  /// How SQLite holds the value, if that is a UUID, a date or a decimal number.
  package let form: ColumnEncoding
  /// Whether the value is that of a column that holds decimal numbers as text.
  package let isDecimalText: Bool

  package init(
    _ expression: SQLExpression, form: ColumnEncoding = .standard, isDecimalText: Bool = false
  ) {
    self.expression = expression.bounded
    self.form = form
    self.isDecimalText = isDecimalText
  }

  /// The expression where the order or the sum of values counts; an error where these are decimal
  /// numbers as text.
  package var orderedExpression: SQLExpression {
    isDecimalText ? .invalid(.decimalText(expression.columnName ?? "an expression")) : expression
  }
}

extension FieldExpression where Value: StorableValue {
  /// Creates an expression that is always one value.
  ///
  /// ```swift
  /// FieldExpression(100) - $0.progress  // ? - "task"."progress"
  /// ```
  public init(_ value: Value) {
    self.init(SQLExpression(value))
  }
}

extension FieldExpression {
  /// Creates an expression from SQL, with the values for its `?` marks.
  ///
  /// Write columns with the name of their table, in double quotes, so that no relationship the
  /// request follows makes them ambiguous.
  ///
  /// - Parameters:
  ///   - fragment: The SQL.
  ///   - tables: The tables the SQL reads besides the entity's own. Live results ask which rows a
  ///     change of them concerns; where the SQL has a shape that they do not understand, they fetch
  ///     again.
  public init(_ fragment: SQLFragment, dependsOn tables: [String] = []) {
    self.init(.fragment(fragment, dependsOn: tables))
  }
}

extension SQLExpression {
  /// Creates the expression for a Swift value; a value SQLite cannot hold becomes an error that the
  /// terminal call throws.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - form: The form of the column that it is compared with.
  package init(_ value: some StorableValue, in form: ColumnEncoding = .standard) {
    do {
      self = .value(try value.storedValue(in: form))
    } catch {
      self = .invalid(
        .invalidRequest("A request holds a value of no use: \(error.reason).", hint: error.hint))
    }
  }

  /// The name of the column that the expression is; nil where it is none.
  var columnName: String? {
    if case .column(_, let name) = self { name } else { nil }
  }

  /// Whether the expression is NULL itself.
  package var isNull: Bool {
    if case .value(let value) = self, case .null = value { true } else { false }
  }
}
