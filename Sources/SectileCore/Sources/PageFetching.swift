/// What fetches the pages of a list, each when somebody asks for it.
package protocol PageFetching: AnyObject, Sendable {
  /// Whether there may be more to fetch.
  var hasMore: Bool { get }

  /// Whether the source of the list tells its listeners of a page that cannot be fetched.
  var isSourceTellingFailures: Bool { get }

  /// Fetches the page that comes next, and waits until it is delivered; a call while it is under
  /// way joins it.
  ///
  /// - Throws: What fetching throws.
  func fetchNextPage() async throws
}
