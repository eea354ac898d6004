#if NATS
  internal import SectileHub

  /// The end of a log.
  struct LogTail {
    /// The number of its last message; 0 where there never was one.
    let number: UInt64
    /// Its last message; nil where it has none.
    let last: RelayRecord?
    /// Its last message that is whole, or the last part of a whole: who was killed may have left
    /// first parts behind it.
    let complete: RelayRecord?

    /// Reads the end.
    ///
    /// - Throws: `HubError`.
    init(of stream: String, in session: NATSSession) throws {
      let numbers = try session.numbers(of: stream) ?? 1..<1
      var (first, whole): (RelayRecord?, RelayRecord?) = (nil, nil)
      var place = numbers.upperBound - 1
      while whole == nil, numbers.contains(place),
        let message = try session.message(place, of: stream)
      {
        let record = try RelayRecord(message.bytes)
        if first == nil { first = record }
        if record.part.isLast { whole = record }
        place -= min(place, UInt64(record.part.index) + 1)
      }
      number = numbers.upperBound - 1
      (last, complete) = (first, whole)
    }
  }
#endif
