import Synchronization

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

  private func aggregate<Value, Result>(
    _ function: String, _ field: (EntityFields<Target>) -> FieldExpression<Value>,
    _ condition: ((EntityFields<Target>) -> FieldExpression<Bool>)?
  ) -> FieldExpression<Result> {
    let value: FieldExpression<Value> = extreme(function, field, condition)
    return .init(value.expression)
  }

  /// A value of the related rows, in the form in which their field has it.
  private func extreme<Value, Result>(
    _ function: String, _ field: (EntityFields<Target>) -> FieldExpression<Value>,
    _ condition: ((EntityFields<Target>) -> FieldExpression<Bool>)?
  ) -> FieldExpression<Result> {
    let rows = rows()
    let fields = EntityFields<Target>(sqlSource: rows)
    let operand = field(fields)
    let subquery = SQLRelated(
      .aggregate(function, operand.expression), source: rows,
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
