import Foundation
import GRDB
import SectileStore
import SectileTestHelpers
import Testing

/// The kinds of storage every behaviour of a store has to hold on.
enum StorageKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  /// In memory, one connection.
  case memory
  /// On a file: WAL, a writer and readers.
  case file
  /// A GRDB queue on a file with a rollback journal, adopted.
  case adoptedQueue
  /// A GRDB pool, adopted.
  case adoptedPool

  var testDescription: String { rawValue }

  /// Whether the store opened its connections itself.
  var isOwned: Bool { self == .memory || self == .file }

  /// Opens a store of this kind in a folder, whose transactions others read, too.
  func open(
    in folder: TemporaryFolder, configuration: StoreConfiguration = StoreConfiguration(),
    migrations: Migrations = .none, readBy readers: [any CommitReader] = []
  ) throws -> Store {
    let path = folder.file("store.sqlite")
    switch self {
    case .memory:
      return try Store.inMemory(
        named: nil, configuration: configuration, migrations: migrations, readBy: readers)
    case .file:
      return try Store.open(
        at: path, configuration: configuration, migrations: migrations, readBy: readers)
    case .adoptedQueue:
      return try Store(
        adopting: DatabaseQueue(path: path), path: path, configuration: configuration,
        migrations: migrations, readBy: readers)
    case .adoptedPool:
      return try Store(
        adopting: DatabasePool(path: path), path: path, configuration: configuration,
        migrations: migrations, readBy: readers)
    }
  }
}

/// Runs a closure with a new store of a kind, and closes and removes it afterwards.
///
/// A closure whose only `try`s are inside of `#expect` has to say `store throws in`.
@discardableResult
func withStore<Result>(
  _ kind: StorageKind, configuration: StoreConfiguration = StoreConfiguration(),
  migrations: Migrations = .none, readBy readers: [any CommitReader] = [],
  _ body: (Store) throws -> Result
) throws -> Result {
  let folder = try TemporaryFolder()
  let store = try kind.open(
    in: folder, configuration: configuration, migrations: migrations, readBy: readers)
  let result = try body(store)
  try store.close()
  return result
}

/// Runs an asynchronous closure with a new store of a kind.
@discardableResult
func withStore<Result>(
  _ kind: StorageKind, configuration: StoreConfiguration = StoreConfiguration(),
  migrations: Migrations = .none, readBy readers: [any CommitReader] = [],
  _ body: (Store) async throws -> Result
) async throws -> Result {
  let folder = try TemporaryFolder()
  let store = try kind.open(
    in: folder, configuration: configuration, migrations: migrations, readBy: readers)
  let result = try await body(store)
  try await store.close()
  return result
}
