internal import GRDBSQLite
internal import Synchronization

/// Stops the statement that an ``InspectionConnection`` runs, from any thread.
///
/// The statement fails with the code `interrupted`; the connection goes on.
package final class Interrupter: Sendable {
  // MARK: - Mutable state
  //
  // - `handle`: guarded by its mutex; nil once the connection is gone. SQLite lets any thread
  //   interrupt a connection that is open.
  private let handle: Mutex<Confined<OpaquePointer>?>

  private let writerLock: WriterLock?

  init(_ connection: OpaquePointer, _ writerLock: WriterLock?) {
    handle = Mutex(Confined(connection, to: .owner))
    self.writerLock = writerLock
  }

  /// Stops what runs; does nothing where nothing runs.
  package func interrupt() {
    writerLock?.interrupt()
    handle.withLock { handle in
      if let handle { sqlite3_interrupt(handle.value) }
    }
  }

  func end() {
    handle.withLock { $0 = nil }
  }
}
