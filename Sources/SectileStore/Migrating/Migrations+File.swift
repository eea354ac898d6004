extension Migrations {
  /// A file of SQL that changes the schema: its name and its bytes.
  ///
  /// The name is `V<version>_<verb>_<noun>.sql`, for example `V0001_create_package.sql`: a capital
  /// V, four or more digits, and two or more words of lower-case letters and digits, each after an
  /// underscore. As a regular expression: `^V[0-9]{4,}(_[a-z0-9]+){2,}\.sql$`.
  ///
  /// The bytes are UTF-8, with or without a byte order mark, and hold at least one statement. The
  /// statements that begin and end a transaction are not among them: each file has its own.
  public struct File: Hashable, Sendable {
    /// The file's name.
    public let name: String
    /// What the file holds.
    public let bytes: [UInt8]

    /// The version in the file's name; nil where the name breaks the rule.
    public var version: Int64? { Self.version(of: name) }

    /// Creates a file from its bytes.
    public init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }

    /// Creates a file from its text.
    public init(name: String, sql: String) {
      self.init(name: name, bytes: Array(sql.utf8))
    }

    /// Returns the version in the name of a migration; nil where the name breaks the rule.
    public static func version(of name: String) -> Int64? {
      guard name.hasPrefix("V"), name.hasSuffix(".sql") else {
        return nil
      }
      let parts = name.dropFirst().dropLast(4).split(
        separator: "_", omittingEmptySubsequences: false)
      guard parts.count >= 3, parts[0].utf8.count >= 4, parts[0].utf8.allSatisfy(\.isDigit) else {
        return nil
      }
      let areWords = parts.dropFirst().allSatisfy { part in
        !part.isEmpty && part.utf8.allSatisfy { $0.isDigit || $0.isLowercaseLetter }
      }
      return areWords ? Int64(parts[0]) : nil
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isLowercaseLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
  }
}
