internal import Hummingbird
public import Sectile
internal import SectileFeed
internal import SectileServer

/// A list that the service shows: its rows as they are now, and the feed of their changes.
public struct ServedList: Sendable {
  /// Its name in the paths of its routes.
  let name: String
  /// What the page asks for.
  let request: LiveRequest
  /// Reads all rows, as JSON.
  let contents: @Sendable () async throws -> [UInt8]
  /// Answers a client that follows the changes.
  let events: @Sendable (Request) async throws -> Response
  /// Ends the streams of all clients.
  let finish: @Sendable () -> Void

  /// Loads a list, and follows it from then on.
  ///
  /// - Parameters:
  ///   - name: Its name in the paths of its routes: letters, digits and hyphens.
  ///   - rows: Which rows, in which order and sections.
  ///   - store: Where they are.
  /// - Throws: A `StoreError` where the table is not as its struct says.
  public init<Row: Entity & Encodable>(
    _ name: String, of rows: FetchRequest<Row>, in store: Store
  ) async throws where Row.ID: Encodable {
    let results = try store.results(of: rows)
    try await results.loadAndWait()
    let feed = Feed<SectionedResults<Row>, Void>(of: results)
    self.name = name
    request = try LiveRequest(rows)
    contents = { try ExactJSON.encode(try await results.contents()) }
    events = { try await feed.response(to: $0) }
    finish = { feed.finish() }
  }
}
