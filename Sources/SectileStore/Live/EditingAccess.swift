import SectileCore

/// The way to a database for editing.
struct EditingAccess: Sendable {
  let isReadOnly: Bool
  /// Runs a closure in a writing transaction and commits it.
  let write: @Sendable ((StoreTransaction) throws -> Void) throws -> Void
  /// Runs a closure in a writing transaction and commits it, and returns what takes it back, of
  /// which only the store knows.
  let writeUndoably: @Sendable ((StoreTransaction) throws -> Void) throws -> any Sendable
}

/// Tells how many rows edits may bring into a section, by its identity, in the transaction that
/// writes; nil for any number.
typealias SectionLimit = @Sendable (StoredValue, StoreReadTransaction) throws -> Int?
