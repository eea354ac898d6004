/// How a transaction ended.
package enum TransactionOutcome: Hashable, Sendable {
  /// Everything of it is stored.
  case committed
  /// Nothing of it is stored.
  case rolledBack
  /// Some or all of it may be stored: only reading tells.
  ///
  /// COMMIT failed with an I/O error, or the closure ended the transaction behind Sectile's back.
  case unknown
}
