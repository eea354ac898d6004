internal import Foundation
internal import Sectile
internal import SectilePresenting

/// A statement that failed, with the place in its text.
struct StatementFailure: Error {
  /// What is reported.
  let failure: CommandFailure
  /// The line of SQL and a mark below the offending word; empty where SQLite does not say.
  let excerpt: [String]
  /// Whether the hint says more than the excerpt.
  let hasOwnHint: Bool
  /// Whether somebody interrupted the statement.
  let isInterrupted: Bool

  /// Describes an error.
  ///
  /// - Parameters:
  ///   - error: What the connection threw.
  ///   - text: The SQL that ran.
  ///   - offset: How many of its bytes come before the text that was given to SQLite.
  ///   - file: The database's path, which messages of one connection need not repeat.
  ///   - names: What a misspelt name may have meant.
  init(
    _ error: StoreError, in text: ScriptText, at offset: Int, file: String, names: SchemaNames
  ) {
    let cause = error.cause as? StoreError.SQLiteFailure
    let offending = cause?.offset.map { $0 + offset }
    let place = text.place(of: offending ?? text.textOffset(from: offset))
    let mapped = CommandFailure(error)
    var message = mapped?.message ?? error.message
    if message.hasPrefix(file + ": ") && (text.firstLine != nil || error.code == .statementFailed) {
      message.removeFirst(file.count + 2)
    }
    let suggestion = cause.flatMap { names.suggestion(for: $0.message) }
    excerpt = offending.map { Self.excerpt(of: text.bytes, at: $0) } ?? []
    let line = excerpt.first.map { $0.trimmingCharacters(in: .whitespaces) }
    hasOwnHint = suggestion != nil || error.code != .statementFailed
    failure = CommandFailure(
      mapped?.code ?? .data, place + message,
      hint: suggestion.map { "Did you mean \($0)?" }
        ?? (error.code == .statementFailed ? line.map { "Look at: \($0)" } : nil) ?? mapped?.hint)
    isInterrupted = error.code == .interrupted
  }

  private static let excerptWidth = 72

  /// The line with the byte, cut to a width, and the mark.
  private static func excerpt(of bytes: [UInt8], at offset: Int) -> [String] {
    guard offset < bytes.count else { return [] }
    let start = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    var before = TerminalText.escaped(
      String(decoding: bytes[max(start, offset - 1000)..<offset], as: UTF8.self))
    while TerminalText.width(of: before) > excerptWidth / 2 { before.removeFirst() }
    let after = TerminalText.escaped(
      String(decoding: bytes[offset..<min(end, offset + 1000)], as: UTF8.self))
    let column = TerminalText.width(of: before)
    return [
      "  " + TerminalText.truncated(before + after, to: excerptWidth),
      "  " + String(repeating: " ", count: column) + "^",
    ]
  }
}
