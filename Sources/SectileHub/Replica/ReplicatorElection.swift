internal import SectileStore

/// Which of the processes that have a replica open follows the hub for all of them.
///
/// It is the one that has the lock of a file beside it; the system lets go of the lock when the
/// process ends, however it ends.
struct ReplicatorElection: Sendable {
  private let lock: LockFile

  /// Opens the file of the lock.
  ///
  /// - Parameter path: Where the replica is or will be.
  /// - Throws: `StoreError` where there can be no such file.
  init(at path: String) throws {
    do {
      lock = try LockFile(at: path + "-replicator")
    } catch let failure {
      throw failure.storeError(path: path)
    }
  }

  /// Tries to be the one.
  func isWon() throws -> Bool {
    do {
      return try lock.lock()
    } catch let failure {
      throw failure.storeError(path: "The lock of the replicator")
    }
  }

  /// Waits until it is the one.
  ///
  /// - Parameter lost: Called where another process is, for now.
  /// - Returns: False where the task was cancelled.
  func wait(then lost: () async -> Void) async -> Bool {
    while !Task.isCancelled {
      // Where the lock cannot be had for now, later it may.
      if (try? isWon()) == true { return true }
      await lost()
      try? await Task.sleep(for: .seconds(1))
    }
    return false
  }

  /// Lets another be the one.
  func resign() { lock.unlock() }
}

extension LockFile.Failure {
  fileprivate func storeError(path: String) -> StoreError {
    switch self {
    case .failed(let error): error
    case .unavailable(let message):
      StoreError(
        .cannotOpen, message: "\(path): nobody can be chosen to follow the hub: \(message)",
        hint:
          "A replica needs a folder that this process may write to, on a file system with locks.")
    }
  }
}
