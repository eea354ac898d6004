/// Where the items of a ``FetchedDataSource`` come from.
///
/// A fetcher knows how to get items, and nothing else: not who shows them, nor which were there
/// before. It is asked to *fetch*; for each batch it *got*, it calls `receive`; it returns when
/// there is no more, and throws what it *failed* with. The objects are then in the source.
///
/// ```swift
/// struct Directory: ItemFetcher {
///   func fetch(_ receive: @escaping @Sendable ([Person]) async throws -> Void) async throws {
///     for department in try await service.departments() {
///       try await receive(try await service.people(in: department))
///     }
///   }
/// }
///
/// let people = FetchedDataSource(name: "people", fetcher: Directory())
/// people.load()
/// ```
public protocol ItemFetcher<Item>: Sendable {
  /// What is fetched.
  associatedtype Item: Identifiable & Sendable where Item.ID: Sendable

  /// Fetches all items, batch by batch.
  ///
  /// It is called in a task of its own, which is cancelled when the source is. Only one fetch of a
  /// source runs at a time.
  ///
  /// - Parameter receive: Shows a batch. It returns once those who listen were told, and throws
  ///   where no more is wanted: pass that error on.
  /// - Throws: What the load fails with.
  func fetch(_ receive: @escaping @Sendable ([Item]) async throws -> Void) async throws

  /// Calls a closure whenever a new fetch would bring something else; runs until its task is
  /// cancelled.
  ///
  /// It is called in a task of its own while the source is loaded and not cancelled. A fetcher that
  /// cannot tell does not implement it.
  func watch(_ changed: @escaping @Sendable () -> Void) async
}

extension ItemFetcher {
  /// Returns at once: the fetcher cannot tell when something changes.
  public func watch(_ changed: @escaping @Sendable () -> Void) async {}
}
