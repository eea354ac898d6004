/// A service whose pages are counted, so that each can be loaded without the ones before it.
///
/// See ``RemoteService/randomAccess``.
public struct RandomAccessService<Item: Sendable>: RandomAccessPageLoader {
  private let service: RemoteService<Item>

  /// Creates a loader, or nil where the pages of a service are not counted.
  init?(_ service: RemoteService<Item>) {
    guard service.style.place(ofRank: 0) != nil else { return nil }
    self.service = service
  }

  /// The page the list begins with.
  public var firstPage: PageToken { service.firstPage }

  /// Fetches a page and parses it.
  ///
  /// - Throws: What ``RemoteService/loadPage(_:)`` throws.
  public func loadPage(_ page: PageToken) async throws -> LoadedPage<Item, PageToken> {
    try await service.loadPage(page)
  }

  /// Returns the page with the item that has so many items before it.
  public func place(ofRank rank: Int) -> PagePlace<PageToken> {
    service.style.place(ofRank: rank) ?? PagePlace(page: firstPage, firstRank: 0)
  }
}

extension RemoteService {
  /// The service as a loader of any page at any time; nil unless its pages are counted, by number
  /// or offset, and their size is given.
  public var randomAccess: RandomAccessService<Item>? { RandomAccessService(self) }
}
