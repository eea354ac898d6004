#if NATS
  internal import SectileHub

  /// Finds where a log goes on after a position.
  struct LogSearch {
    /// Where it goes on.
    enum Place: Hashable {
      /// With the message of this number, which may be still to come.
      case next(UInt64)
      /// Nowhere; why.
      case resync(ResyncReason)
    }

    private let location: NATSLocation
    private let session: NATSSession

    init(_ location: NATSLocation, _ session: NATSSession) {
      (self.location, self.session) = (location, session)
    }

    /// Finds the first message that is not at or before a token's position.
    ///
    /// Positions grow with the numbers of messages, so few are looked at: as many as a number of
    /// messages has binary digits.
    ///
    /// - Parameter token: A machine's, or that of a snapshot.
    /// - Returns: Where the log goes on, without a gap.
    /// - Throws: `HubError`: `unavailable` where there is no log, or it has nothing yet.
    func place(after token: HubToken) throws -> Place {
      guard let numbers = try session.numbers(of: location.stream), !numbers.isEmpty else {
        throw HubError(
          .unavailable, message: "the stream \(location.stream) has no transactions yet",
          hint: "Start the relay: sectile hub relay, or NATSRelay.")
      }
      let last = try record(numbers.upperBound - 1)
      if let reason = Self.mismatch(of: token, with: last) { return .resync(reason) }
      var (low, high) = (numbers.lowerBound, numbers.upperBound)
      while low < high {
        let middle = low + (high - low) / 2
        if try record(middle).isAfter(token.position, of: last.generation) {
          high = middle
        } else {
          low = middle + 1
        }
      }
      // What was there before the first message, only that itself can tell.
      guard low == numbers.lowerBound else { return .next(low) }
      let first = try record(low)
      let leadsOn =
        first.generation == last.generation && first.part.index == 0
        && first.previous <= token.position
      return leadsOn ? .next(low) : .resync(.behindSlot(confirmed: first.previous))
    }

    private func record(_ number: UInt64) throws -> RelayRecord {
      guard let message = try session.message(number, of: location.stream) else {
        throw HubError(
          .unavailable, message: "the stream \(location.stream) let go of messages meanwhile")
      }
      return try RelayRecord(message.bytes)
    }

    /// Why a token has no place in a log; nil where it may have.
    static func mismatch(of token: HubToken, with last: RelayRecord) -> ResyncReason? {
      if token.system != last.source.system { return .otherSystem }
      if token.timeline != last.source.timeline { return .otherTimeline }
      if token.slot != last.generation.name { return .slotMissing }
      if token.position > last.position { return .aheadOfHub(last.position) }
      return nil
    }
  }

  extension RelayRecord {
    /// Whether it comes after a position of the log's last generation.
    func isAfter(_ position: HubPosition, of generation: Generation) -> Bool {
      self.generation == generation && self.position > position
    }
  }
#endif
