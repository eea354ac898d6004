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
/// Neither values bound to SQL nor stored ones appear in a message, keys among them, since messages
/// reach logs. Who asks finds them beside it: ``rowKey`` names the row that the error is about, and
/// ``storedValue`` is the value that did not fit.
public struct StoreError: SectileError {
  /// What kind of failure this is.
  public let code: Code
  /// What happened, naming the file, the table or the migration.
  public let message: String
  /// What to do next.
  public let hint: String?
  /// The error below this one; SQLite's own is a ``StoreError/SQLiteFailure``.
  public let cause: (any Error)?
  private let withheld: Withheld<StoredValue>
  private let withheldKey: Withheld<[StoredValue]>

  /// The stored value that did not fit, where the error is about one; printing the error never
  /// shows it.
  public var storedValue: StoredValue? { withheld.value }

  /// The key of the row that the error is about, in the order of the key's columns; nil where it is
  /// about none, or about many.
  ///
  /// A key is often an e-mail address or a token, so printing the error never shows it:
  ///
  /// ```swift
  /// } catch let error as StoreError where error.code == .rowNotFound {
  ///   logger.warning("\(error)")  // rowNotFound: package has no row with the key of the entity
  ///   show(error.rowKey)          // [7]
  /// }
  /// ```
  public var rowKey: [StoredValue]? { withheldKey.value }

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: What kind of failure it is.
  ///   - message: What happened, in one line.
  ///   - hint: What to do next.
  ///   - cause: The error below this one.
  ///   - storedValue: The stored value that did not fit; leave it out of the message.
  ///   - rowKey: The key of the row that it is about; leave it out of the message.
  public init(
    _ code: Code, message: String, hint: String? = nil, cause: (any Error)? = nil,
    storedValue: StoredValue? = nil, rowKey: [StoredValue]? = nil
  ) {
    withheld = Withheld(storedValue)
    withheldKey = Withheld(rowKey)
    self.code = code
    self.message = message
    self.hint = hint
    self.cause = cause
  }
}
