internal import SectileCore

extension StoreError {
  /// What to do about what SQLite says, where it misses what only the program that made the file
  /// has, or refuses it to the file's schema; else nil.
  package var schemaHint: String? {
    (cause as? SQLiteFailure).flatMap { Self.schemaHint(for: $0.message) }
  }

  /// See ``schemaHint``.
  static func schemaHint(for message: String) -> String? {
    if message.contains("unsafe use of ") {
      return "Nothing needs to be damaged: something in the file's schema calls what may have "
        + "side effects, and the schema of a file from elsewhere may not. SQLite's own shell shows "
        + "its text."
    }
    let words = "no such collation sequence: "
    guard message.hasPrefix(words) else { return nil }
    return "The program that made the file brings the collation "
      + "\(message.dropFirst(words.count)). Sort, group and compare with one that SQLite has, as in: "
      + "COLUMN COLLATE NOCASE. What needs it in the schema, a view or a key, cannot be read "
      + "without the program."
  }

  /// Returns what is said of a table or view whose columns SQLite does not tell: nobody has written
  /// the statement that asks for them.
  func ofColumns(of listing: TableListing, in source: some SchemaSource) -> StoreError {
    guard code == .statementFailed, let failure = cause as? SQLiteFailure else { return self }
    if listing.kind == .view, let error = ofQuotedText(failure, in: listing.name, source) {
      return error
    }
    return StoreError(
      code, message: message,
      hint: Self.schemaHint(for: failure.message)
        ?? "\(listing.name) needs what only the program that made the file has, or what is gone from "
        + "the file; other tables and views can be read.", cause: failure)
  }

  /// Returns what is said of a view that has text in double quotation marks, which stores take for
  /// the name of a column; nil where that is not what SQLite misses.
  private func ofQuotedText(
    _ failure: SQLiteFailure, in view: String, _ source: some SchemaSource
  ) -> StoreError? {
    guard let name = failure.missingColumn,
      let views = try? source.schemaRows(
        "SELECT name, sql FROM main.sqlite_schema WHERE type = 'view' ORDER BY name <> ?",
        [.text(view)])
    else { return nil }
    // Where the view reads another one, the text may be there.
    let found = views.first { row in
      SQLPiece.pieces(of: row[1].schemaText).contains { piece in
        piece.kind == .quoted && piece.text.hasPrefix("\"") && piece.name == name
      }
    }
    guard let owner = found?[0].schemaText else { return nil }
    let place = message.hasSuffix(failure.message) ? message.dropLast(failure.message.count) : ""
    return StoreError(
      code,
      message: "\(place)the view \(owner) has \(SQLName.quote(name)) in double quotation marks, "
        + "which is no column",
      hint: "If it is text, write \(SQLName.text(name)) in the view. If it was a column, that is "
        + "gone, and SQLite's own shell takes its name for text without a word, as sectile sqlite "
        + "and sectile export do; what is followed has to be certain.", cause: failure)
  }
}

extension StoreError.SQLiteFailure {
  /// The name of the column that SQLite misses; nil where it says something else.
  fileprivate var missingColumn: String? {
    let words = "no such column: "
    guard message.hasPrefix(words) else { return nil }
    let rest = message.dropFirst(words.count)
    // Later versions put it in quotation marks, and ask whether a text was meant.
    guard rest.hasPrefix("\""), let end = rest.firstRange(of: "\" - should this be")?.lowerBound
    else { return String(rest) }
    return String(rest[..<end].dropFirst())
  }
}
