/// A page loader built from an operation.
///
/// ```swift
/// let loader = PageOperation(firstPage: 1) { page in
///   let songs = try await radio.songs(page: page)
///   return LoadedPage(items: songs, nextPage: songs.isEmpty ? nil : page + 1)
/// }
/// ```
public struct PageOperation<Item: Sendable, Page: Hashable & Sendable>: PageLoader {
  /// The page the list begins with.
  public let firstPage: Page
  private let operation: @Sendable (Page) async throws -> LoadedPage<Item, Page>

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - firstPage: The page the list begins with.
  ///   - operation: Loads one page.
  public init(
    firstPage: Page, _ operation: @escaping @Sendable (Page) async throws -> LoadedPage<Item, Page>
  ) {
    self.firstPage = firstPage
    self.operation = operation
  }

  /// Runs the operation.
  ///
  /// - Throws: What the operation throws.
  public func loadPage(_ page: Page) async throws -> LoadedPage<Item, Page> {
    try await operation(page)
  }
}
