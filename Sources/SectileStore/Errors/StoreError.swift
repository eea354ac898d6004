public import SectileCore

/// What went wrong in a store, what to do about it, and SQLite's own error where there is one.
///
/// Compare ``code`` to handle one kind of failure; print the error to see a line, or
/// ``detailedDescription`` to see everything:
///
/// ```swift
/// do {
///   try store.write { try $0.insert(package) }
/// } catch let error as StoreError where error.code == .uniqueConstraint {
///   print(error.message)  // packages.sqlite: UNIQUE constraint failed: package.id
/// }
/// ```
///
/// Values bound to SQL never appear in an error.
public struct StoreError: SectileError {
  /// What kind of failure this is.
  public let code: Code
  /// What happened, naming the file, the table or the migration.
  public let message: String
  /// What to do next.
  public let hint: String?
  /// The error below this one; SQLite's own is a ``SQLiteFailure``.
  public let cause: (any Error)?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: What kind of failure it is.
  ///   - message: What happened, in one line.
  ///   - hint: What to do next.
  ///   - cause: The error below this one.
  public init(
    _ code: Code, message: String, hint: String? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.cause = cause
  }
}
