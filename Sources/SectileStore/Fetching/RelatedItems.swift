public import SectileCore
internal import Synchronization

/// The rows that refer to a row, as they are written in the closures of a ``FetchRequest``.
///
/// ```swift
/// request.filter { $0.tracks.exists { $0.duration > 600 } }
/// request.filter { $0.tracks.count >= 10 }
/// request.filter { $0.tracks.none { $0.isBonus } }
/// request.sort(by: { $0.tracks.sum(\.duration) }, .descending)
/// ```
///
/// Each becomes a subquery. A row counts where the condition is true, not where it is NULL.
public struct RelatedItems<Target: Entity>: Sendable {
  let source: SQLSource
  let reference: SQLReference

  /// Whether there is a related row: `EXISTS (SELECT 1 FROM …)`.
  public var isPresent: FieldExpression<Bool> { .init(.related(.init(.exists, source: rows()))) }

  /// Whether there is no related row: `NOT EXISTS (SELECT 1 FROM …)`.
  public var isEmpty: FieldExpression<Bool> { !isPresent }

  /// How many related rows there are: `(SELECT count(*) FROM …)`.
  public var count: FieldExpression<Int> { .init(.related(.init(.count, source: rows()))) }

  /// Returns whether a related row meets a condition: `EXISTS (SELECT 1 FROM … WHERE …)`.
  public func exists(
    _ condition: (EntityFields<Target>) -> FieldExpression<Bool>
  ) -> FieldExpression<Bool> {
    subquery(.exists, condition)
  }

  /// Returns whether no related row meets a condition: `NOT EXISTS (SELECT 1 FROM … WHERE …)`.
  public func none(
    _ condition: (EntityFields<Target>) -> FieldExpression<Bool>
  ) -> FieldExpression<Bool> {
    !exists(condition)
  }

  /// Returns how many related rows meet a condition: `(SELECT count(*) FROM … WHERE …)`.
  public func count(
    _ condition: (EntityFields<Target>) -> FieldExpression<Bool>
  ) -> FieldExpression<Int> {
    subquery(.count, condition)
  }

  /// Returns the sum of a field of the related rows: `(SELECT sum(…) FROM …)`; nil where none has a
  /// value.
  ///
  /// A sum of integers that does not fit into 64 bits is an error, `statementFailed`. That of real
  /// numbers depends in its last bits on the order in which SQLite reads the rows.
  ///
  /// - Parameters:
  ///   - field: The field: a key path, also through to-one relationships, or a closure.
  ///   - condition: Which rows count; all of them without it.
  /// - Returns: The sum.
  @_disfavoredOverload
  public func sum<Value: NumberStorable>(
    _ field: (EntityFields<Target>) -> FieldExpression<Value>,
    where condition: ((EntityFields<Target>) -> FieldExpression<Bool>)? = nil
  ) -> FieldExpression<Value?> {
    aggregate("sum", field, condition)
  }

  /// Returns the sum of a field of the related rows that may be missing.
  ///
  /// See `sum(_:where:)` for more information.
  public func sum<Value: NumberStorable>(
    _ field: (EntityFields<Target>) -> FieldExpression<Value?>,
    where condition: ((EntityFields<Target>) -> FieldExpression<Bool>)? = nil
  ) -> FieldExpression<Value?> {
    aggregate("sum", field, condition)
  }

  /// Returns the average of a field of the related rows: `(SELECT avg(…) FROM …)`; nil where none
  /// has a value.
  ///
  /// See `sum(_:where:)` for more information.
  public func average<Value: NumberStorable>(
    _ field: (EntityFields<Target>) -> FieldExpression<Value>,
    where condition: ((EntityFields<Target>) -> FieldExpression<Bool>)? = nil
  ) -> FieldExpression<Double?> {
    aggregate("avg", field, condition)
  }

  /// Returns the smallest value of a field of the related rows: `(SELECT min(…) FROM …)`; nil where
  /// none has a value.
  ///
  /// See `sum(_:where:)` for more information.
  @_disfavoredOverload
  public func minimum<Value: StorableValue>(
    _ field: (EntityFields<Target>) -> FieldExpression<Value>,
    where condition: ((EntityFields<Target>) -> FieldExpression<Bool>)? = nil
  ) -> FieldExpression<Value?> {
    extreme("min", field, condition)
  }

  /// Returns the smallest value of a field of the related rows that may be missing.
  ///
  /// See `sum(_:where:)` for more information.
  public func minimum<Value: StorableValue>(
    _ field: (EntityFields<Target>) -> FieldExpression<Value?>,
    where condition: ((EntityFields<Target>) -> FieldExpression<Bool>)? = nil
  ) -> FieldExpression<Value?> {
    extreme("min", field, condition)
  }

  /// Returns the largest value of a field of the related rows: `(SELECT max(…) FROM …)`; nil where
  /// none has a value.
  ///
  /// See `sum(_:where:)` for more information.
  @_disfavoredOverload
  public func maximum<Value: StorableValue>(
    _ field: (EntityFields<Target>) -> FieldExpression<Value>,
    where condition: ((EntityFields<Target>) -> FieldExpression<Bool>)? = nil
  ) -> FieldExpression<Value?> {
    extreme("max", field, condition)
  }

  /// Returns the largest value of a field of the related rows that may be missing.
  ///
  /// See `sum(_:where:)` for more information.
  public func maximum<Value: StorableValue>(
    _ field: (EntityFields<Target>) -> FieldExpression<Value?>,
    where condition: ((EntityFields<Target>) -> FieldExpression<Bool>)? = nil
  ) -> FieldExpression<Value?> {
    extreme("max", field, condition)
  }

  /// Returns the first related rows in an order, or the last with `.descending`.
  ///
  /// ```swift
  /// struct Receipt: Identifiable, Sendable {
  ///   var id: Int64
  ///   var dearest: Children<Line>
  /// }
  /// let receipts = FetchRequest<Purchase>().selecting(
  ///   { ($0.id, $0.lines.first(3, by: \.cents, .descending)) }, as: Receipt.init)
  /// ```
  ///
  /// Live results update an item if one of its rows comes, goes, changes or takes another place.
  /// Rows that are equal in the order come by their primary key.
  ///
  /// - Parameters:
  ///   - count: How many rows there are at most; none if it is negative.
  ///   - key: The field that they are sorted by: a key path, also through to-one relationships, or
  ///     a closure.
  ///   - direction: Which values come first.
  ///   - collation: How text compares; nil for the collation that the column declares.
  ///   - nulls: Where NULL goes; nil for SQLite's rule, which holds NULL smaller than everything.
  ///   - condition: Which rows count; all of them without it.
  /// - Returns: The rows.
  /// - Complexity: With an index of the foreign key and the field SQLite reads `count` rows for
  ///   each item; otherwise it reads and sorts all related ones.
  public func first<Value>(
    _ count: Int, by key: (EntityFields<Target>) -> FieldExpression<Value>,
    _ direction: SortDirection = .ascending, collation: TextCollation? = nil,
    nulls: NullOrder? = nil,
    where condition: ((EntityFields<Target>) -> FieldExpression<Bool>)? = nil
  ) -> FieldExpression<Children<Target>> {
    list(of: { $0 }, max(0, count), condition) {
      (key($0).orderedExpression, Self.ending(direction, collation, nulls))
    }
  }

  /// Returns what the first related rows refer to: the tags of a product, behind a table that links
  /// the two.
  ///
  /// ```swift
  /// $0.taggings.first(3, of: \.tag, by: \.tag.name)
  /// ```
  ///
  /// Rows that refer to nothing are left out. `of` is the to-one relationship: a key path, also of
  /// several, or a closure. See `first(_:by:_:collation:nulls:where:)` for more information.
  public func first<Child, Value>(
    _ count: Int, of child: (EntityFields<Target>) -> EntityFields<Child>,
    by key: (EntityFields<Target>) -> FieldExpression<Value>,
    _ direction: SortDirection = .ascending, collation: TextCollation? = nil,
    nulls: NullOrder? = nil,
    where condition: ((EntityFields<Target>) -> FieldExpression<Bool>)? = nil
  ) -> FieldExpression<Children<Child>> {
    list(of: child, max(0, count), condition) {
      (key($0).orderedExpression, Self.ending(direction, collation, nulls))
    }
  }

  /// Returns all related rows, in an order.
  ///
  /// See `first(_:by:_:collation:nulls:where:)` for more information.
  public func all<Value>(
    by key: (EntityFields<Target>) -> FieldExpression<Value>,
    _ direction: SortDirection = .ascending, collation: TextCollation? = nil,
    nulls: NullOrder? = nil,
    where condition: ((EntityFields<Target>) -> FieldExpression<Bool>)? = nil
  ) -> FieldExpression<Children<Target>> {
    list(of: { $0 }, nil, condition) {
      (key($0).orderedExpression, Self.ending(direction, collation, nulls))
    }
  }

  /// Returns what all related rows refer to, in an order.
  ///
  /// See `first(_:of:by:_:collation:nulls:where:)` for more information.
  public func all<Child, Value>(
    of child: (EntityFields<Target>) -> EntityFields<Child>,
    by key: (EntityFields<Target>) -> FieldExpression<Value>,
    _ direction: SortDirection = .ascending, collation: TextCollation? = nil,
    nulls: NullOrder? = nil,
    where condition: ((EntityFields<Target>) -> FieldExpression<Bool>)? = nil
  ) -> FieldExpression<Children<Child>> {
    list(of: child, nil, condition) {
      (key($0).orderedExpression, Self.ending(direction, collation, nulls))
    }
  }

  /// What follows an expression in ORDER BY.
  private static func ending(
    _ direction: SortDirection, _ collation: TextCollation?, _ nulls: NullOrder?
  ) -> String {
    let collation = collation.map { " COLLATE \(SQLName.quote($0.name))" } ?? ""
    let nulls = nulls.map { $0 == .first ? " NULLS FIRST" : " NULLS LAST" } ?? ""
    return collation + (direction == .descending ? " DESC" : "") + nulls
  }

  private func list<Child>(
    of child: (EntityFields<Target>) -> EntityFields<Child>, _ limit: Int?,
    _ condition: ((EntityFields<Target>) -> FieldExpression<Bool>)?,
    _ order: (EntityFields<Target>) -> (SQLExpression, String)
  ) -> FieldExpression<Children<Child>> {
    let rows = rows()
    let fields = EntityFields<Target>(sqlSource: rows)
    let source = child(fields).sqlSourceOfFields
    var conditions = condition.map { [$0(fields).expression] } ?? []
    if source != rows {
      conditions += Child.schema.primaryKey.map { .suffix(.column(source, $0), "IS NOT NULL") }
    }
    let list = SQLRelatedList(
      columns: Child.schema.layout.columns.map { .column(source, $0) },
      order: [order(fields)] + Target.schema.primaryKey.map { (.column(rows, $0), "") },
      limit: limit)
    return .init(
      .related(
        SQLRelated(
          .list(list), source: rows, condition: conditions.isEmpty ? nil : .all(conditions))))
  }

  private func aggregate<Value, Result>(
    _ function: String, _ field: (EntityFields<Target>) -> FieldExpression<Value>,
    _ condition: ((EntityFields<Target>) -> FieldExpression<Bool>)?
  ) -> FieldExpression<Result> {
    let value: FieldExpression<Value> = extreme(function, field, condition)
    return .init(value.expression)
  }

  /// A value of the related rows, in the form in which their field has it.
  func extreme<Value, Result>(
    _ function: String, _ field: (EntityFields<Target>) -> FieldExpression<Value>,
    _ condition: ((EntityFields<Target>) -> FieldExpression<Bool>)?
  ) -> FieldExpression<Result> {
    let rows = rows()
    let fields = EntityFields<Target>(sqlSource: rows)
    let operand = field(fields)
    let subquery = SQLRelated(
      .aggregate(function, operand.orderedExpression), source: rows,
      condition: condition?(fields).expression)
    return .init(.related(subquery), form: operand.form)
  }

  private func subquery<Value>(
    _ question: SQLRelated.Question,
    _ condition: (EntityFields<Target>) -> FieldExpression<Bool>
  ) -> FieldExpression<Value> {
    let rows = rows()
    let wanted = condition(EntityFields(sqlSource: rows)).expression
    return .init(.related(.init(question, source: rows, condition: wanted)))
  }

  private func rows() -> SQLSource {
    .toMany(source, reference, relatedNumber.wrappingAdd(1, ordering: .relaxed).newValue)
  }
}

/// Numbers subqueries, so that two over one relationship are told apart when they are nested.
private let relatedNumber = Atomic<Int>(0)
