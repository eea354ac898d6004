public import Sectile

/// A row of a SQLite database.
public struct Announcement: Entity, Hashable {
  /// What the table is.
  public static let schema = EntitySchema<Announcement>(
    "announcement", primaryKey: "id", attributes: .init("id", \.id), .init("text", \.text))
  /// What creates the table.
  public static let migration =
    "CREATE TABLE announcement (id INTEGER PRIMARY KEY NOT NULL, text TEXT NOT NULL)"

  /// The row's key.
  public var id: Int64
  /// What is announced.
  public var text: String

  /// Creates an announcement.
  public init(id: Int64, text: String) {
    self.id = id
    self.text = text
  }

  /// Reads an announcement.
  public init(row: inout RowReader) throws {
    id = try row.next()
    text = try row.next()
  }

  /// Writes the announcement.
  public func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(text)
  }
}
