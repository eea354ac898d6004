package import SectileCore

/// The table of an entity: its name, its primary key and its attributes.
///
/// Column and table names are written as they are in the database; SQL quotes them.
public struct EntitySchema<E: Entity>: Sendable {
  /// What the schema says, behind one reference: it is handed out at every operation.
  private final class Contents: Sendable {
    let table: String
    let primaryKey: [String]
    let attributes: [EntityAttribute<E>]
    let offsetsByKeyPath: [AttributeKey<E>: Int]
    let layout: RowLayout
    let statements: EntityStatements

    init(table: String, primaryKey: [String], attributes: [EntityAttribute<E>]) {
      let columns = attributes.map(\.column)
      precondition(
        !primaryKey.isEmpty && primaryKey.allSatisfy(columns.contains),
        "the primary key \(primaryKey) of \(table) is not among its attributes \(columns)")
      precondition(
        Set(columns).count == columns.count, "a column of \(table) is named twice in \(columns)")
      self.table = table
      self.primaryKey = primaryKey
      self.attributes = attributes
      offsetsByKeyPath = Dictionary(
        attributes.enumerated().map { (AttributeKey($1.keyPath), $0) },
        uniquingKeysWith: { first, _ in first })
      layout = RowLayout(
        table: table, columns: columns, primaryKey: primaryKey, forms: attributes.map(\.form))
      statements = EntityStatements(table: table, columns: columns, primaryKey: primaryKey)
    }
  }

  private let contents: Contents

  /// Creates the schema of an entity.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - primaryKey: The columns of the primary key.
  ///   - attributes: One attribute for each column the entity reads and writes.
  /// - Precondition: There is an attribute for each column of the primary key, and no column is
  ///   named twice.
  public init(_ table: String, primaryKey: String..., attributes: EntityAttribute<E>...) {
    self.init(table: table, primaryKey: primaryKey, attributes: attributes)
  }

  /// Creates the schema of an entity from arrays.
  ///
  /// See ``init(_:primaryKey:attributes:)`` for more information.
  public init(table: String, primaryKey: [String], attributes: [EntityAttribute<E>]) {
    contents = Contents(table: table, primaryKey: primaryKey, attributes: attributes)
  }

  /// The table.
  public var table: String { contents.table }

  /// The columns of the primary key, in the order of the components of the entity's key.
  public var primaryKey: [String] { contents.primaryKey }

  /// The attributes, in the order in which an entity reads and writes them.
  public var attributes: [EntityAttribute<E>] { contents.attributes }

  /// The names that errors show.
  package var layout: RowLayout { contents.layout }

  /// The SQL texts that the operations on entities run.
  package var statements: EntityStatements { contents.statements }

  /// The columns, in the order of the attributes.
  public var columns: [String] { layout.columns }

  /// Returns the column of a property; nil if it is no attribute.
  public func column(for keyPath: any PartialKeyPath<E> & Sendable) -> String? {
    attribute(for: keyPath)?.column
  }

  /// Returns the attribute of a property; nil if it is none.
  package func attribute(
    for keyPath: any PartialKeyPath<E> & Sendable
  ) -> EntityAttribute<E>? {
    contents.offsetsByKeyPath[AttributeKey(keyPath)].map { attributes[$0] }
  }

  /// Returns the values of a key as the columns of the primary key hold them.
  package func keyValues(of key: E.ID) -> [StoredValue] {
    layout.keyForms.stored(fromStandard: key.keyValues)
  }
}

/// A key path as a dictionary key: the existential with `Sendable` is not hashable by itself.
private struct AttributeKey<E>: Hashable, Sendable {
  let keyPath: any PartialKeyPath<E> & Sendable

  init(_ keyPath: any PartialKeyPath<E> & Sendable) {
    self.keyPath = keyPath
  }

  static func == (left: Self, right: Self) -> Bool {
    (left.keyPath as PartialKeyPath<E>) == (right.keyPath as PartialKeyPath<E>)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(keyPath as PartialKeyPath<E>)
  }
}
