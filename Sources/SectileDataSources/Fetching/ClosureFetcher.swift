/// A fetcher that is a closure.
///
/// ```swift
/// let source = FetchedDataSource(name: "people", fetcher: ClosureFetcher<Person> { receive in
///   try await receive(try await service.people())
/// })
/// ```
public struct ClosureFetcher<Item: Identifiable & Sendable>: ItemFetcher where Item.ID: Sendable {
  /// Shows a batch.
  public typealias Receive = @Sendable ([Item]) async throws -> Void

  private let body: @Sendable (@escaping Receive) async throws -> Void

  /// Creates a fetcher.
  ///
  /// - Parameter body: See ``ItemFetcher/fetch(_:)``.
  public init(_ body: @escaping @Sendable (_ receive: @escaping Receive) async throws -> Void) {
    self.body = body
  }

  /// Fetches all items.
  ///
  /// - Throws: What the closure throws.
  public func fetch(_ receive: @escaping @Sendable ([Item]) async throws -> Void) async throws {
    try await body(receive)
  }
}
