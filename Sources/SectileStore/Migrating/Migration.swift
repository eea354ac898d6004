/// A migration file that obeys the rules: its version, its text and its checksum.
struct Migration {
  let version: Int64
  let name: String
  let sql: String
  /// SHA-256 of the file's bytes, byte order mark and all.
  let checksum: String

  init(_ file: MigrationFile) throws(StoreError) {
    guard let version = Self.version(of: file.name) else {
      throw StoreError(
        .migrationName, message: "\(file.name) is not the name of a migration",
        hint: "Name it V<four or more digits>_<verb>_<noun>.sql in lower case, for example "
          + "V0001_create_package.sql.")
    }
    var bytes = file.bytes[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      bytes = bytes.dropFirst(3)
    }
    guard let sql = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw StoreError(
        .migrationUnreadable, message: "\(file.name) is not UTF-8 text",
        hint: "Save the file as UTF-8, without NUL characters.")
    }
    guard !SQLWords.isBlank(sql) else {
      throw StoreError(
        .migrationEmpty, message: "\(file.name) holds no statement",
        hint: "Remove the file, or write the statements it was meant to hold.")
    }
    self.version = version
    self.name = file.name
    self.sql = sql
    self.checksum = SHA256.hexadecimal(of: file.bytes)
  }

  /// Returns the version in a name, or `nil` if the name breaks the rule.
  static func version(of name: String) -> Int64? {
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

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isLowercaseLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
  }
}
