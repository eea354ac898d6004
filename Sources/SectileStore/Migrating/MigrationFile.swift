/// A file of SQL that changes the schema: its name and its bytes.
///
/// The name is `V<version>_<verb>_<noun>.sql`, for example `V0001_create_package.sql`: a capital V,
/// four or more digits, and two or more words of lower-case letters and digits, each after an
/// underscore. As a regular expression: `^V[0-9]{4,}(_[a-z0-9]+){2,}\.sql$`.
///
/// The bytes are UTF-8, with or without a byte order mark, and hold at least one statement. The
/// statements that begin and end a transaction are not among them: each file has its own.
public struct MigrationFile: Hashable, Sendable {
  /// The file's name.
  public let name: String
  /// What the file holds.
  public let bytes: [UInt8]

  /// Creates a file from its bytes.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// Creates a file from its text.
  public init(name: String, sql: String) {
    self.init(name: name, bytes: Array(sql.utf8))
  }
}
