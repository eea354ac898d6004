import Synchronization

/// The rows that refer to a row, as they are written in the closures of a ``FetchRequest``.
///
/// ```swift
/// request.filter { $0.tracks.exists { $0.duration > 600 } }
/// request.filter { $0.tracks.count >= 10 }
/// request.filter { $0.tracks.none { $0.isBonus } }
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
