#if Server
  internal import NIOCore
  internal import Synchronization

  /// The connections there are, at most so many.
  ///
  /// A flood of connections that ask for nothing must not keep others out: where there is no room,
  /// the one goes that has been idle for longest. Where all are being answered, the new one goes.
  final class ConnectionRoster: Sendable {
    private struct Entry {
      let channel: any Channel
      /// Nil while a request is being answered.
      var idleSince: UInt64?
    }

    private struct State {
      var entries: [ObjectIdentifier: Entry] = [:]
      /// Counts changes: what is smaller happened earlier.
      var time: UInt64 = 0
      var turnedAway = 0
    }

    private let limit: Int

    // MARK: - Mutable state
    //
    // - `state`: guarded by its mutex; channels are closed outside of it.
    private let state = Mutex(State())

    init(limit: Int) { self.limit = max(1, limit) }

    /// How many connections there are.
    var count: Int { state.withLock { $0.entries.count } }

    /// How many were closed for want of room.
    var turnedAway: Int { state.withLock { $0.turnedAway } }

    /// Adds a connection, until it is closed.
    func add(_ channel: any Channel) {
      let id = ObjectIdentifier(channel)
      let evicted = state.withLock { state -> (any Channel)? in
        state.time += 1
        var evicted: (any Channel)?
        if state.entries.count >= limit {
          let oldest = state.entries.filter { $0.value.idleSince != nil }
            .min { ($0.value.idleSince ?? 0) < ($1.value.idleSince ?? 0) }
          state.turnedAway += 1
          guard let oldest else { return channel }
          state.entries[oldest.key] = nil
          evicted = oldest.value.channel
        }
        state.entries[id] = Entry(channel: channel, idleSince: state.time)
        return evicted
      }
      evicted?.close(promise: nil)
      channel.closeFuture.whenComplete { [self] _ in
        state.withLock { $0.entries[id] = nil }
      }
    }

    /// Takes note of whether a connection is being answered.
    func note(_ channel: any Channel, isServing: Bool) {
      state.withLock { state in
        state.time += 1
        state.entries[ObjectIdentifier(channel)]?.idleSince = isServing ? nil : state.time
      }
    }
  }
#endif
