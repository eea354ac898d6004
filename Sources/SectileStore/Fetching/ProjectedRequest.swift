internal import SectileCore

/// A request whose items are made of columns: see ``FetchRequest/selecting(_:as:)``.
///
/// ```swift
/// let results = try store.results(of: lines)
/// try results.load()
/// try results.update(to: lines.refined { $0.limit(200) })
/// ```
///
/// Its SQL is a SELECT of these columns, and its rows are followed as those of a ``Query``.
///
/// An empty section of a fixed list is titled with its value.
public struct ProjectedRequest<E: Entity, Item: Sendable>: Sendable {
  /// What rows are grouped by.
  struct Grouping: Sendable {
    /// Which rows are in a group.
    let conditions: [SQLExpression]
    let keys: [SelectedField]
    /// What was said about rows, and is of no use of groups; nil where there is no such thing.
    let error: StoreError?
  }

  /// What is said about the items; of groups, their order, and which are wanted.
  let request: FetchRequest<E>
  let grouping: Grouping?
  /// The columns of an item.
  let fields: [SelectedField]
  /// Makes an item of a row of these columns.
  let decode: @Sendable (inout RowReader) throws -> Item

  init(
    _ request: FetchRequest<E>, grouping: Grouping?, fields: [SelectedField],
    decode: @escaping @Sendable (inout RowReader) throws -> Item
  ) {
    (self.request, self.grouping, self.fields) = (request, grouping, fields)
    self.decode = decode
  }

  /// Returns the request with another filter, order, section or limit, and the same columns.
  ///
  /// ```swift
  /// lines.refined { $0.filter { $0.placedOn > "2026-01-31" }.limit(200) }
  /// ```
  ///
  /// - Parameter change: Refines what was requested. Of groups, what was said about the groups.
  /// - Returns: The refined request.
  public func refined(by change: (FetchRequest<E>) -> FetchRequest<E>) -> Self {
    Self(change(request), grouping: grouping, fields: fields, decode: decode)
  }
}

extension ProjectedRequest.Grouping {
  init(of rows: FetchRequest<E>, by keys: [SelectedField]) {
    conditions = rows.conditions
    self.keys = keys
    let isPlain =
      rows.sortTerms.isEmpty && rows.section == nil && rows.aggregates.isEmpty
      && rows.limitCount == nil && rows.offsetCount == 0
    error =
      isPlain
      ? nil
      : .invalidRequest(
        "A request for groups of \(E.schema.table) sorts, sections or limits the rows in them.",
        hint: "Sort, section and limit the groups, in the closure of grouped(by:).")
  }
}

/// An expression that is selected, without the type of its value.
struct SelectedField: Sendable {
  let expression: SQLExpression
  let form: ColumnEncoding

  init<Value>(_ field: FieldExpression<Value>) {
    (expression, form) = (field.expression, field.form)
  }

  /// Returns expressions without their types.
  static func list<each Value>(_ fields: repeat FieldExpression<each Value>) -> [SelectedField] {
    var list: [SelectedField] = []
    for field in repeat each fields { list.append(SelectedField(field)) }
    return list
  }
}
