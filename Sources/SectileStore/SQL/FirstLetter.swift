import Foundation
import GRDB
import GRDBSQLite

/// The first character of a text in upper case, and the SQL function that returns it.
///
/// A character is a grapheme cluster, which no function of SQLite's knows: `substr` cuts between
/// code points, and `upper` knows the capitals of ASCII. The function is deterministic, so that
/// live results follow rows by it, and only for statements: what a schema with it means would
/// depend on the release of Unicode of whoever opens the file.
enum FirstLetter {
  /// The function's name in SQL.
  static let function = "sectile_first_letter"

  /// How many bytes are looked at first; more, where they are all of one character.
  private static let usualLength = 64

  /// Of how many code points at most a letter is composed: the time is the square of their number.
  private static let composedLimit = 128

  // MARK: The character

  /// Returns the first character of a text in upper case, composed; the empty text for one without.
  ///
  /// A character of more than 128 code points is not composed.
  ///
  /// - Parameter text: UTF-8; what is none stands for U+FFFD.
  /// - Returns: The character, or the several of a letter that has no capital of its own: `SS` for
  ///   `ß`.
  static func of(_ text: UnsafeBufferPointer<UInt8>) -> String {
    guard let first = text.first else { return "" }
    // A byte of ASCII before another one is a character, but for CR LF.
    if first < 0x80, first != 0x0D, text.count == 1 || text[1] < 0x80 {
      return String(Unicode.Scalar((0x61...0x7A).contains(first) ? first & ~0x20 : first))
    }
    let letter = String(character(of: text)).uppercased()
    guard letter.unicodeScalars.count <= composedLimit else { return letter }
    return letter.precomposedStringWithCanonicalMapping
  }

  /// - Precondition: The text is not empty.
  private static func character(of text: UnsafeBufferPointer<UInt8>) -> Character {
    var length = usualLength
    while length < text.count {
      // Whether a character ends is told by the code point behind it, which has to be whole.
      let end = (length - 3...length).last { text[$0] & 0xC0 != 0x80 } ?? length
      let part = String(decoding: UnsafeBufferPointer(rebasing: text[..<end]), as: UTF8.self)
      if part.index(after: part.startIndex) < part.endIndex { return part[part.startIndex] }
      length *= 2
    }
    let whole = String(decoding: text, as: UTF8.self)
    return whole[whole.startIndex]
  }

  // MARK: The function

  /// Makes the function known to a connection.
  ///
  /// - Throws: ``StoreError`` where SQLite refuses, for want of memory.
  static func register(on connection: OpaquePointer) throws(StoreError) {
    let code = sqlite3_create_function_v2(
      connection, function, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, _, values in FirstLetter.answer(context, values?[0]) }, nil, nil, nil)
    guard code == SQLITE_OK else {
      throw StoreError(
        StoreError.SQLiteFailure(
          resultCode: code, message: String(cString: sqlite3_errmsg(connection))), file: nil)
    }
  }

  /// Makes the function known to a connection of GRDB's.
  ///
  /// See ``register(on:)-(OpaquePointer)`` for more information.
  static func register(on db: Database) throws(StoreError) {
    guard let connection = db.sqliteConnection else { return }
    try register(on: connection)
  }

  /// Makes the function known to a connection that does not know it yet.
  ///
  /// Registering it again would make every prepared statement compile again.
  static func registerIfMissing(on db: Database) throws(StoreError) {
    let isKnown = (try? RawStatement.cached("SELECT \(function)(NULL)", on: db)) != nil
    if !isKnown { try register(on: db) }
  }

  private static func answer(_ context: OpaquePointer?, _ value: OpaquePointer?) {
    guard let value, sqlite3_value_type(value) != SQLITE_NULL else {
      return sqlite3_result_null(context)
    }
    // SQLite wants to be asked in this order.
    let start = sqlite3_value_text(value)
    let count = Int(sqlite3_value_bytes(value))
    guard start != nil || count == 0 else { return sqlite3_result_error_nomem(context) }
    let letter = of(UnsafeBufferPointer(start: start, count: count))
    sqlite3_result_text(context, letter, Int32(letter.utf8.count), copied)
  }
}
