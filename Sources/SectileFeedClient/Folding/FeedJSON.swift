internal import FoundationEssentials
internal import SectileCore

/// What says which format it is in.
protocol FormattedJSON {
  var format: Int? { get }
}

/// What a feed says beside changesets, as a client reads it.
enum FeedJSON {
  /// The members of small events; each has some of them.
  struct Head: Decodable, FormattedJSON {
    let format: Int?
    let version: Int?
    let reason: String?
    let code: String?
    let rows: Int?
    let aggregates: AggregateValues?
  }

  /// The first event of a stream of `sectile serve`.
  struct Stream: Decodable, FormattedJSON {
    let format: Int?
    /// The longest time between two signs of life, in seconds.
    let heartbeat: Double?
    /// What tells the file from others.
    let source: String?
  }

  private struct Format: Decodable {
    let format: Int?
  }

  static func head(_ event: EventStreamParser.Event) throws(FeedClientError) -> Head {
    try decode(Head.self, event)
  }

  /// - Throws: ``FeedClientError`` with `unknownFormat` where that is why an event cannot be read,
  ///   and also where it could be; with `inconsistent` where lists contradict each other; with
  ///   `unreadable`.
  static func decode<Value: Decodable>(
    _ type: Value.Type, _ event: EventStreamParser.Event
  ) throws(FeedClientError) -> Value {
    let data = Data(event.data)
    let value: Value
    do {
      value = try JSONDecoder().decode(type, from: data)
    } catch {
      try requireFormat((try? JSONDecoder().decode(Format.self, from: data))?.format)
      if error is ChangesetError { throw .inconsistent(error) }
      throw .unreadable(event.name, error)
    }
    if let value = value as? any FormattedJSON { try requireFormat(value.format) }
    return value
  }

  private static func requireFormat(_ format: Int?) throws(FeedClientError) {
    guard let format, !JSONTag.readableFormats.contains(format) else { return }
    throw .unknownFormat(format)
  }
}
