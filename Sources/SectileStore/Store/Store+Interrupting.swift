internal import GRDB

extension Store {
  /// Ends the statements that run, of reads as well as of loads of results, and waits for the lock
  /// of writers; they fail with the code `interrupted`.
  ///
  /// To be called from any thread. What begins later is not ended.
  package func interrupt() {
    accesses.unlessClosed {
      writer.interrupt()
      writerLock.interrupt()
      views?.interrupt()
    }
  }
}
