/// What a statement's first words do to the transaction, without preparing it.
///
/// SQLite decides by the first word, too, so this needs no more than skipping comments.
enum TransactionKeyword {
  case begin
  case commit
  case rollback

  /// Reads the first words of one statement; `nil` for everything that leaves the transaction as
  /// it is, such as `ROLLBACK TO savepoint`.
  init?(of sql: String) {
    var words = SQLWords(sql.utf8)
    switch words.next() {
    case "BEGIN":
      self = .begin
    case "COMMIT", "END":
      self = .commit
    case "ROLLBACK":
      while let word = words.next() {
        if word == "TO" {
          return nil
        }
      }
      self = .rollback
    default:
      return nil
    }
  }
}
