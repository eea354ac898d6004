/// How SQLite compares text: a collation's name and, for collations written in Swift, their rule.
public struct TextCollation: Sendable {
  /// The collation's name in SQL.
  public let name: String
  /// The rule of a collation written in Swift: negative, zero or positive, as `memcmp` answers.
  package let compare: (@Sendable (String, String) -> Int)?
  /// The version of a rule that other releases of the system may change; nil for one that never
  /// changes.
  ///
  /// Indexes are built anew where their file names another one: see ``CollationVersions``.
  let version: String?

  /// Compares bytes.
  public static let binary = TextCollation(name: "BINARY", compare: nil)
  /// Compares bytes after folding the 26 upper-case ASCII letters.
  public static let nocase = TextCollation(name: "NOCASE", compare: nil)
  /// Compares bytes after dropping trailing spaces.
  public static let rtrim = TextCollation(name: "RTRIM", compare: nil)

  /// Creates a collation with a rule written in Swift.
  ///
  /// List it in ``StoreConfiguration/collations`` so that every connection of the store knows it.
  /// The rule must be a total order that never changes.
  ///
  /// - Parameters:
  ///   - name: The name SQL knows it by.
  ///   - compare: Answers negative, zero or positive for two strings in their order.
  public init(_ name: String, compare: @escaping @Sendable (String, String) -> Int) {
    self.init(name: name, compare: compare)
  }

  /// Names a collation that somebody else registered, whose rule only SQLite knows.
  package init(named name: String) {
    self.init(name: name, compare: nil)
  }

  init(
    name: String, compare: (@Sendable (String, String) -> Int)?, version: String? = nil
  ) {
    self.name = name
    self.compare = compare
    self.version = version
  }
}

extension TextCollation: Hashable {
  /// Returns whether two collations have one name, as SQLite compares names.
  public static func == (left: TextCollation, right: TextCollation) -> Bool {
    left.name.lowercased() == right.name.lowercased()
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name.lowercased())
  }
}
