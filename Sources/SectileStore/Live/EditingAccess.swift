import GRDB

/// The way to a database for editing.
struct EditingAccess: Sendable {
  let isReadOnly: Bool
  /// Runs a closure in a writing transaction and commits it.
  let write: @Sendable ((Database) throws -> Void) throws -> Void
  /// Runs a closure in a writing transaction and commits it, and returns what takes it back, of
  /// which only the store knows.
  let writeUndoably: @Sendable ((Database) throws -> Void) throws -> any Sendable
}
