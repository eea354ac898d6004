/// The fields of an entity, as they are written in the closures of a ``FetchRequest``.
///
/// Each property of the entity is a ``FieldExpression``; each to-one relationship leads to the
/// fields of the related entity, each to-many relationship to ``RelatedItems``:
///
/// ```swift
/// request.filter { $0.year > 1990 && $0.artist.name == "Nina Simone" }
/// request.filter { $0.tracks.exists { $0.duration > 600 } }
/// ```
///
/// Fields of a related row that does not exist are NULL.
@dynamicMemberLookup
public struct EntityFields<E: Entity>: Sendable {
  // Every name here hides a property of that name in the entities of users: keep them few and odd.
  package let sqlSourceOfFields: SQLSource

  package init(sqlSource: SQLSource) {
    sqlSourceOfFields = sqlSource
  }

  /// Creates the fields of the rows a plan is about.
  package static var base: EntityFields<E> {
    EntityFields(sqlSource: .base(E.schema.table))
  }

  /// The expression for a property.
  ///
  /// A property that is no attribute of the schema makes the call that runs the request throw.
  public subscript<Value: StorableValue>(
    dynamicMember keyPath: any KeyPath<E, Value> & Sendable
  ) -> FieldExpression<Value> {
    let attribute = E.schema.attribute(for: keyPath)
    return FieldExpression(
      sqlSourceOfFields.column(E.self, keyPath), form: attribute?.form ?? .standard,
      isDecimalText: attribute?.isDecimalText ?? false)
  }

  /// The fields of the row a foreign key refers to.
  public subscript<Target: Entity>(
    dynamicMember keyPath: any KeyPath<E.Relationships, ToOne<Target>> & Sendable
  ) -> EntityFields<Target> {
    let relationship = E.Relationships()[keyPath: keyPath]
    return EntityFields<Target>(
      sqlSource: .toOne(sqlSourceOfFields, relationship.reference))
  }

  /// The rows that refer to this one.
  public subscript<Target: Entity>(
    dynamicMember keyPath: any KeyPath<E.Relationships, ToMany<Target>> & Sendable
  ) -> RelatedItems<Target> {
    let relationship = E.Relationships()[keyPath: keyPath]
    return RelatedItems(source: sqlSourceOfFields, reference: relationship.reference(from: E.self))
  }

  /// Returns whether a full-text table matches a query in the row that has this row's key.
  ///
  /// The full-text table is an FTS5 table whose `rowid` is the entity's integer primary key, such
  /// as an external-content table.
  ///
  /// ```swift
  /// request.filter { $0.matching("sqlite OR postgres", in: "package_text") }
  /// // WHERE "package"."id" IN (SELECT rowid FROM "package_text" WHERE "package_text" MATCH ?)
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query, in the syntax of FTS5.
  ///   - table: The name of the full-text table.
  /// - Returns: A condition.
  public func matching(_ query: String, in table: String) -> FieldExpression<Bool> {
    .init(key(in: table) { .match($0, table: table, query: query) })
  }

  /// Returns how well the row that has this row's key matches a query, as FTS5 ranks it: the
  /// smaller, the better.
  ///
  /// NULL where it does not match. A rank depends on what is in all rows, so live results that are
  /// sorted by it are fetched again after each commit that concerns them, whichever columns it
  /// changes: with a limit, their window is.
  ///
  /// ```swift
  /// request.matching("sqlite", in: "package_text")
  ///   .sort { $0.fullTextRank(of: "sqlite", in: "package_text") }.limit(20)
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query, in the syntax of FTS5.
  ///   - table: The name of the full-text table: see ``matching(_:in:)``.
  /// - Returns: The rank: `bm25`, unless the table is configured otherwise.
  /// - Complexity: All that the query finds is ranked, once for each fetch.
  public func fullTextRank(of query: String, in table: String) -> FieldExpression<Double?> {
    .init(key(in: table) { .rank($0, table: table, query: query) })
  }

  /// Returns an expression of the key by which a full-text table refers to rows.
  private func key(in table: String, _ expression: (SQLExpression) -> SQLExpression)
    -> SQLExpression
  {
    let keys = E.schema.primaryKey
    guard keys.count == 1 else {
      return .invalid(
        .invalidRequest(
          "\(E.self) cannot be searched with \(table): its primary key has \(keys.count) columns.",
          hint: "A full-text table refers to rows by one integer key."))
    }
    return expression(.column(sqlSourceOfFields, keys[0]))
  }
}

extension SQLSource {
  /// Returns the column of an entity's property, or the error that there is none.
  package func column<E: Entity>(
    _ type: E.Type, _ keyPath: any PartialKeyPath<E> & Sendable
  ) -> SQLExpression {
    if let column = E.schema.column(for: keyPath) { return .column(self, column) }
    return .invalid(
      .invalidRequest(
        "\(keyPath) is not an attribute of \(E.self).",
        hint: "List it in the attributes of \(E.self).schema, or use a property that is listed."))
  }
}

extension ToOne {
  /// The columns on both sides.
  package var reference: SQLReference {
    SQLReference(
      sourceColumns: columns, targetTable: Target.schema.table, targetColumns: targetColumns)
  }
}

extension ToMany {
  /// The columns on both sides, seen from an entity.
  package func reference<Source: Entity>(from source: Source.Type) -> SQLReference {
    SQLReference(
      sourceColumns: Source.schema.primaryKey, targetTable: Target.schema.table,
      targetColumns: targetColumns)
  }
}
