internal import GRDB
internal import SectileCore

extension Migration {
  /// Runs the statements of the file inside the current transaction.
  ///
  /// - Throws: ``StoreError`` that names the file, or SQLite's error where the disk or a lock is
  ///   to blame.
  func run(on db: Database) throws {
    var number = 1
    do {
      let statements = try db.allStatements(sql: sql)
      while let statement = try statements.next() {
        guard TransactionKeyword(of: statement.sql) == nil else {
          throw transactionError(statement.sql)
        }
        try statement.execute()
        guard db.isInsideTransaction else {
          throw transactionError(statement.sql)
        }
        number += 1
      }
    } catch {
      throw failure(error, inStatement: number)
    }
  }

  /// Refuses rows without their parents, in the whole database.
  func checkForeignKeys(on db: Database) throws(StoreError) {
    do {
      let statement = try RawStatement.prepare("PRAGMA foreign_key_check", on: db)
      // Which references are broken, how often, and the row id of the first: WITHOUT ROWID tables
      // have none.
      var orphans: [(text: String, count: Int)] = []
      var first: [StoredValue]?
      while try statement.step() {
        let (table, parent) = (statement.castText(at: 0), statement.castText(at: 2))
        let text = "of table \(table) without a parent in \(parent)"
        if orphans.isEmpty, !statement.isNull(at: 1) {
          first = [.integer(statement.castInteger(at: 1))]
        }
        if let known = orphans.firstIndex(where: { $0.text == text }) {
          orphans[known].count += 1
        } else {
          orphans.append((text, 1))
        }
      }
      guard orphans.isEmpty else {
        let limit = 5
        let told = orphans.prefix(limit).map {
          "\($0.count) row\($0.count == 1 ? "" : "s") \($0.text)"
        }
        let rest = orphans.count > limit ? ", and more" : ""
        throw StoreError(
          .migrationForeignKeys, message: "\(name): \(told.joined(separator: ", "))\(rest)",
          hint: "Let the migration delete or repair these rows; nothing of it was stored. "
            + "PRAGMA foreign_key_check names them.", rowKey: first)
      }
    } catch let error as StoreError where error.code == .migrationForeignKeys {
      throw error
    } catch {
      throw StoreError(
        .migrationFailed,
        message:
          "\(name): the foreign keys cannot be checked: \(StoreError.wrapping(error, file: nil).message)",
        hint: "A REFERENCES clause names a missing table, or a column that is not unique.",
        cause: error)
    }
  }

  private func failure(_ error: any Error, inStatement number: Int) -> any Error {
    let cause = StoreError.wrapping(error, file: nil)
    switch cause.code {
    case .migrationTransaction:
      return cause
    case .diskFull, .ioError, .corrupt, .busy, .readOnly, .outOfMemory, .interrupted:
      // The disk's troubles are not the file's.
      return error
    default:
      let isThere = cause.message.contains("already exists")
      return StoreError(
        .migrationFailed, message: "\(name), statement \(number): \(cause.message)",
        hint: isThere
          ? "The database had it before this file: leave it out, or write IF NOT EXISTS; nothing of the file "
            + "was stored."
          : "Correct the file; nothing of it was stored.",
        cause: cause.cause ?? cause)
    }
  }

  private func transactionError(_ sql: String) -> StoreError {
    StoreError(
      .migrationTransaction, message: "\(name) begins or ends a transaction: \(sql)",
      hint: "Remove BEGIN, COMMIT, END and ROLLBACK: each file runs in a transaction of its own.")
  }
}

extension RawStatement {
  /// A column as text, with what is not UTF-8 replaced: for messages.
  fileprivate func castText(at column: Int) -> String {
    withTextBytes(at: column) { String(decoding: $0, as: UTF8.self) }
  }
}
