/// A migration file that obeys the rules: its version, its text and its checksum.
struct Migration {
  let version: Int64
  let name: String
  let sql: String
  /// SHA-256 of the file's bytes, byte order mark and all.
  let checksum: String

  init(_ file: Migrations.File) throws(StoreError) {
    guard let version = file.version else {
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
}
