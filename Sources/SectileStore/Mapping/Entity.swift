/// A Swift value that is a row of a table.
///
/// The macro `@Entity` writes the conformance. By hand it takes a schema, and the attributes twice
/// more in the schema's order: to read and to write them.
///
/// ```swift
/// struct Package: Entity {
///   var id: Int64
///   var name: String
///   var section: String?
///   var installedSize: Int
///
///   static let schema = EntitySchema<Package>(
///     "package", primaryKey: "id",
///     attributes: .init("id", \.id), .init("name", \.name), .init("section", \.section),
///     .init("installed_size", \.installedSize))
///
///   init(row: inout RowReader) throws {
///     (id, name, section, installedSize) = try (row.next(), row.next(), row.next(), row.next())
///   }
///
///   func write(to row: inout RowWriter) throws {
///     try row.append(id); try row.append(name)
///     try row.append(section); try row.append(installedSize)
///   }
/// }
/// ```
///
/// One assignment of all properties reads a tenth faster than one for each: after an error between
/// them the compiler must know what to release, and therefore copies the entity once more.
///
/// The identity of a row is its declared primary key, so `id` is made of the key's columns: an
/// integer, text, a UUID, a raw-representable of these, or for several columns a structure that
/// conforms to ``EntityKey``. An optional integer key is assigned by SQLite when nil is inserted.
///
/// An entity that is related to others declares how in a nested type:
///
/// ```swift
/// struct Relationships: EntityRelationships {
///   let maintainer = ToOne<Maintainer>("maintainer_id")
///   let files = ToMany<File>("package_id")
///   init() {}
/// }
/// ```
public protocol Entity: Identifiable, Sendable where ID: EntityKey {
  /// The relationships to other entities; ``NoRelationships`` unless declared.
  associatedtype Relationships: EntityRelationships = NoRelationships

  /// The table, its primary key and its attributes in the order of reading and writing.
  ///
  /// Store it in a `static let`: it is read at every operation.
  static var schema: EntitySchema<Self> { get }

  /// Creates an entity from a row, reading every attribute in the order of the schema.
  ///
  /// - Throws: What `row.next()` throws; let it pass.
  init(row: inout RowReader) throws

  /// Writes every attribute to a row in the order of the schema.
  ///
  /// - Throws: What `row.append(_:)` throws; let it pass.
  func write(to row: inout RowWriter) throws
}
