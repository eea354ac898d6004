extension StoreError {
  /// The code and the message, in one line.
  public var description: String {
    let line = "\(code): \(message)"
    return line.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// Everything the error knows, as a tree of lines.
  ///
  /// ```
  /// StoreError diskFull
  /// ├─ message: packages.sqlite: database or disk is full
  /// ├─ hint: Free space on the disk, then repeat the write; nothing of it was stored.
  /// └─ cause: StoreError.SQLiteFailure 13: database or disk is full
  ///    └─ sql: INSERT INTO package VALUES (?, ?)
  /// ```
  public var detailedDescription: String {
    Self.lines(of: self).joined(separator: "\n")
  }

  private static func lines(of error: any Error) -> [String] {
    switch error {
    case let error as StoreError:
      var children = [["message: \(error.message)"]]
      if let hint = error.hint {
        children.append(["hint: \(hint)"])
      }
      if let cause = error.cause {
        var below = lines(of: cause)
        below[0] = "cause: \(below[0])"
        children.append(below)
      }
      return ["StoreError \(error.code)"] + branches(children)
    case let failure as StoreError.SQLiteFailure:
      return ["StoreError.SQLiteFailure \(failure.resultCode): \(failure.message)"]
        + branches(failure.sql.map { [["sql: \($0)"]] } ?? [])
    default:
      return ["\(type(of: error)): \(error)"]
    }
  }

  private static func branches(_ children: [[String]]) -> [String] {
    children.enumerated().flatMap { position, lines in
      let isLast = position == children.count - 1
      return lines.enumerated().map { line, text in
        (line == 0 ? (isLast ? "└─ " : "├─ ") : (isLast ? "   " : "│  ")) + text
      }
    }
  }
}
