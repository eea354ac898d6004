/// A source that grows by pages, each of which is fetched when somebody asks for it.
package protocol PageFetching: AnyObject, Sendable {
  /// Whether there may be more to fetch.
  var hasMore: Bool { get }

  /// Fetches what comes next, and waits until it is delivered; a call while it is under way joins it.
  ///
  /// - Returns: The paths of the new items.
  /// - Throws: What fetching throws.
  @discardableResult func fetchMore() async throws -> [ItemPath]
}
