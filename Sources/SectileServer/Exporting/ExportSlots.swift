#if Server
  internal import Synchronization

  /// How many exports run: each holds a state of the file, and with it the log of its writers.
  final class ExportSlots: Sendable {
    private let limit: Int

    // MARK: - Mutable state
    //
    // - `count`: guarded by its mutex.
    private let count = Mutex(0)

    init(limit: Int) { self.limit = limit }

    /// Takes a place, which is free again when what is returned has ended, or is released.
    ///
    /// - Throws: ``Refusal`` where there is none.
    func take() throws(Refusal) -> ExportSlot {
      let isFree = count.withLock { count in
        guard count < limit else { return false }
        count += 1
        return true
      }
      guard isFree else {
        throw Refusal(
          .tooManyRequests, "there are \(limit) exports already",
          hint: "Wait until one of them has ended.")
      }
      return ExportSlot { [self] in count.withLock { $0 -= 1 } }
    }
  }

  /// A place that is taken.
  final class ExportSlot: Sendable {
    private let free: @Sendable () -> Void

    // MARK: - Mutable state
    //
    // - `isFree`: guarded by its mutex.
    private let isFree = Mutex(false)

    init(freeing free: @escaping @Sendable () -> Void) { self.free = free }

    /// Frees the place; once more it does nothing.
    func end() {
      let wasFree = isFree.withLock { isFree in
        defer { isFree = true }
        return isFree
      }
      if !wasFree { free() }
    }

    deinit { end() }
  }
#endif
