internal import Sectile

/// Reads the items of a first load, which are fetched when they are asked for.
struct ItemReading: Sendable {
  let stop: StopSignal

  /// Reads an item, and waits as long as another process keeps the file locked.
  ///
  /// - Parameter item: Reads it.
  /// - Returns: The item; nil for one that others have changed since. The next changeset brings it,
  ///   or says that it is gone.
  /// - Throws: What reading throws, and ``WatchStopped`` when the watch ends meanwhile.
  func read(_ item: () throws -> UntypedRow) throws -> UntypedRow? {
    while true {
      if stop.hasStopped { throw WatchStopped() }
      do {
        return try item()
      } catch let error as StoreError where error.code == .itemChangedElsewhere {
        return nil
      } catch let error as StoreError where error.code == .busy {
        continue
      }
    }
  }
}
