internal import SectileCore

extension FetchRequest {
  /// Makes the items of columns: of the row's own, of related rows, and of what is worked out.
  ///
  /// ```swift
  /// struct Line: Identifiable, Sendable {
  ///   var id: Int64
  ///   var placedOn: String
  ///   var customer: String
  ///   var items: Int
  ///   var cents: Int?
  /// }
  ///
  /// let lines = FetchRequest<Purchase>()
  ///   .sectioned(by: \.customer.country)
  ///   .sort(by: \.placedOn, .descending)
  ///   .selecting(
  ///     { ($0.id, $0.placedOn, $0.customer.name, $0.items.count, $0.items.sum(\.cents)) },
  ///     as: Line.init)
  /// let results = try store.results(of: lines)
  /// ```
  ///
  /// There is an item for each row of the entity that the request wants, and `id` is that row's.
  /// Live results follow all tables that the columns reach: a new item of a purchase, or another
  /// name of a customer, updates the rows that show it.
  ///
  /// A value of a related row that does not exist is NULL; ask for it with
  /// ``FieldExpression/optional``.
  ///
  /// - Parameters:
  ///   - columns: The columns, in the order in which an item takes them.
  ///   - make: Makes an item of their values: an initializer, or a closure. It is called whenever
  ///     an item is read, on any thread.
  /// - Returns: The request for such items.
  public func selecting<Item, each Value: StorableValue>(
    _ columns: (EntityFields<E>) -> (repeat FieldExpression<each Value>),
    as make: @escaping @Sendable (repeat each Value) throws -> Item
  ) -> ProjectedRequest<E, Item> {
    let selected = columns(.base)
    return ProjectedRequest(
      self, grouping: nil, fields: SelectedField.list(repeat each selected),
      decode: { row in try make(repeat try row.next((each Value).self)) })
  }

  /// Makes one row of all rows that agree in a field: a group.
  ///
  /// ```swift
  /// struct Country: Identifiable, Sendable {
  ///   var id: String
  ///   var purchases: Int
  ///   var cents: Int?
  /// }
  ///
  /// let leaders = FetchRequest<Purchase>()
  ///   .filter { $0.placedOn >= "2026-01-01" }
  ///   .grouped(by: \.customer.country) { groups in
  ///     groups.filter { $0.id.count() >= 10 }
  ///       .sort(by: { $0.cents.sum() }, .descending)
  ///       .limit(10)
  ///   }
  ///   .selecting({ ($0.customer.country, $0.id.count(), $0.cents.sum()) }, as: Country.init)
  /// ```
  ///
  /// What the request says so far is about rows: which of them are in a group. What the closure
  /// says is about groups: which of them are wanted (HAVING), their order, sections, limit. There
  /// and in the columns, everything but the field itself, and what follows from it where it is a
  /// key, is an aggregate, such as ``FieldExpression/count()``; a field that may differ within a
  /// group is an error. Groups without rows do not exist.
  ///
  /// The identity of a group is its value of the field; NULL is one.
  ///
  /// - Parameters:
  ///   - key: The field.
  ///   - groups: Refines the request for groups.
  /// - Returns: The groups, whose items are to be selected.
  public func grouped<Key>(
    by key: (EntityFields<E>) -> FieldExpression<Key>,
    _ groups: (FetchRequest<E>) -> FetchRequest<E> = { $0 }
  ) -> GroupedRequest<E> {
    GroupedRequest(rows: self, keys: [SelectedField(key(.base))], groups: groups(.init()))
  }

  /// Makes one row of all rows that agree in several fields.
  ///
  /// The identity of a group has all their values, in this order: a structure that conforms to
  /// ``EntityKey``. See `grouped(by:_:)` for more information.
  public func grouped<each Key>(
    by keys: (EntityFields<E>) -> (repeat FieldExpression<each Key>),
    _ groups: (FetchRequest<E>) -> FetchRequest<E> = { $0 }
  ) -> GroupedRequest<E> {
    let grouped = keys(.base)
    return GroupedRequest(
      rows: self, keys: SelectedField.list(repeat each grouped), groups: groups(.init()))
  }
}

/// The groups of a request, whose items are still to be selected.
///
/// See `grouped(by:_:)`.
public struct GroupedRequest<E: Entity>: Sendable {
  let rows: FetchRequest<E>
  let keys: [SelectedField]
  let groups: FetchRequest<E>

  /// Makes the items of columns: of the fields that are grouped by, and of aggregates.
  ///
  /// - Parameters:
  ///   - columns: The columns, in the order in which an item takes them.
  ///   - make: Makes an item of their values: an initializer, or a closure. Its `id` is what the
  ///     rows are grouped by.
  /// - Returns: The request for such items.
  public func selecting<Item, each Value: StorableValue>(
    _ columns: (EntityFields<E>) -> (repeat FieldExpression<each Value>),
    as make: @escaping @Sendable (repeat each Value) throws -> Item
  ) -> ProjectedRequest<E, Item> {
    let selected = columns(.base)
    return ProjectedRequest(
      groups, grouping: ProjectedRequest.Grouping(of: rows, by: keys),
      fields: SelectedField.list(repeat each selected),
      decode: { row in try make(repeat try row.next((each Value).self)) })
  }
}
