/// Why a store, a migration or a statement failed.
///
/// The message names the file, table or migration; the hint says what to do next; the cause is
/// SQLite's own error where there is one.
public struct StoreError: Error, Sendable {
  /// What kind of failure it was.
  public let code: Code
  /// What happened.
  public let message: String
  /// What to do next, if something can be said.
  public let hint: String?
  /// The error behind this one.
  public let cause: (any Error)?

  /// Creates an error.
  public init(
    _ code: Code, _ message: String, hint: String? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.cause = cause
  }
}
