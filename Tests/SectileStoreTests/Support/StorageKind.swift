import Foundation
import GRDB
import SectileStore
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

  /// Opens a store of this kind in a folder; without an observer, the one every store has.
  func open(
    in folder: TemporaryFolder, configuration: StoreConfiguration = StoreConfiguration(),
    migrations: Migrations = .none, commits: (any CommitObserving)? = nil
  ) throws -> Store {
    let path = folder.file("store.sqlite")
    switch self {
    case .memory:
      guard let commits else {
        return try Store.inMemory(configuration: configuration, migrations: migrations)
      }
      return try Store.inMemory(
        named: nil, configuration: configuration, migrations: migrations, commits: commits)
    case .file:
      guard let commits else {
        return try Store.open(at: path, configuration: configuration, migrations: migrations)
      }
      return try Store.open(
        at: path, configuration: configuration, migrations: migrations, commits: commits)
    case .adoptedQueue:
      let queue = try DatabaseQueue(path: path)
      guard let commits else {
        return try Store(adopting: queue, configuration: configuration, migrations: migrations)
      }
      return try Store(
        adopting: queue, path: path, configuration: configuration, migrations: migrations,
        commits: commits)
    case .adoptedPool:
      let pool = try DatabasePool(path: path)
      guard let commits else {
        return try Store(adopting: pool, configuration: configuration, migrations: migrations)
      }
      return try Store(
        adopting: pool, path: path, configuration: configuration, migrations: migrations,
        commits: commits)
    }
  }
}

/// Runs a closure with a new store of a kind, and closes and removes it afterwards.
///
/// A closure whose only `try`s are inside of `#expect` has to say `store throws in`.
@discardableResult
func withStore<Result>(
  _ kind: StorageKind, configuration: StoreConfiguration = StoreConfiguration(),
  migrations: Migrations = .none, commits: (any CommitObserving)? = nil,
  _ body: (Store) throws -> Result
) throws -> Result {
  let folder = try TemporaryFolder()
  let store = try kind.open(
    in: folder, configuration: configuration, migrations: migrations, commits: commits)
  let result = try body(store)
  try store.close()
  return result
}

/// Runs an asynchronous closure with a new store of a kind.
@discardableResult
func withStore<Result>(
  _ kind: StorageKind, configuration: StoreConfiguration = StoreConfiguration(),
  migrations: Migrations = .none, commits: (any CommitObserving)? = nil,
  _ body: (Store) async throws -> Result
) async throws -> Result {
  let folder = try TemporaryFolder()
  let store = try kind.open(
    in: folder, configuration: configuration, migrations: migrations, commits: commits)
  let result = try await body(store)
  try store.close()
  return result
}
