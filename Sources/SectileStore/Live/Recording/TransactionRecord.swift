/// A transaction, as the recorder saw it.
///
/// Valid on the writer until the transaction has ended. What it touched of a table is in the
/// ``TouchedRows`` that whoever reads the record holds of it.
struct TransactionRecord {
  /// Whether the recorder saw everything that happened since the record before: no other connection
  /// wrote, and no table was created, dropped or altered.
  let isCertain: Bool
  /// Whether others wrote, too, and the change log tells which rows; of tables that it does not
  /// follow, rows may have changed that nobody names.
  let hasForeignRows: Bool
  /// Whether tables were created, dropped or altered: what is watched has to be watched anew.
  let hasNewSchema: Bool
  /// Why the version of the database could not be read; nil where it could.
  let failure: (any Error)?
}
