internal import Synchronization

extension HubCore {
  /// Returns the ring of the epoch, made if there is none; ended, where nothing more will be told.
  ///
  /// - Parameter make: Makes one for an epoch.
  /// - Returns: The ring.
  func ring(_ make: (_ epoch: Int) -> ChangeRing) -> ChangeRing {
    hasRing.store(true, ordering: .relaxed)
    let (ring, isEnded) = state.withLock { state in
      let epoch = state.machine.epoch
      if let ring = state.ring?.ring, ring.epoch == epoch { return (ring, state.isRingEnded) }
      let ring = make(epoch)
      state.ring = WeakRing(ring: ring)
      return (ring, state.isRingEnded)
    }
    if isEnded { ring.end() }
    return ring
  }

  /// Appends an event to what asynchronous consumers read.
  ///
  /// The ring is looked up after the flip: a consumer that came before must not miss the change,
  /// and one that has come since can tell by its version that it is old.
  @inline(__always)
  func record(_ event: ErasedEvent, _ audience: Audience) {
    guard hasRing.load(ordering: .relaxed) else { return }
    let ring = state.withLock { state in
      state.silentBefore <= audience.epoch ? state.ring?.ring : nil
    }
    ring?.append(event)
  }

  /// Ends what asynchronous consumers read, those that come later among them: nothing more will be
  /// told, though the source is not cancelled.
  package func endRing() {
    let (ring, listeners) = state.withLock { state in
      state.isRingEnded = true
      return (state.ring?.ring, exchange(&state.endListeners, with: []))
    }
    ring?.end()
    for listener in listeners { listener.action() }
  }
}
