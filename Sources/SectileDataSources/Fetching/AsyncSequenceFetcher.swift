public import SectileCore

/// A fetcher whose items arrive one by one from an asynchronous sequence, each visible at once.
public struct AsyncSequenceFetcher<Elements: AsyncSequence>: ItemFetcher
where Elements.Element: Identifiable & Sendable, Elements.Element.ID: Sendable {
  /// What is fetched.
  public typealias Item = Elements.Element

  private let makeElements: @Sendable () -> Elements

  /// Creates a fetcher.
  ///
  /// - Parameter makeElements: Makes the sequence anew for each fetch.
  public init(_ makeElements: @escaping @Sendable () -> Elements) {
    self.makeElements = makeElements
  }

  /// Passes the elements on until the sequence ends.
  ///
  /// - Throws: What the sequence throws.
  public func fetch(_ receive: @escaping @Sendable ([Item]) async throws -> Void) async throws {
    for try await element in makeElements() { try await receive([element]) }
    // A sequence that ends because its task was cancelled is not complete.
    try Task.checkCancellation()
  }
}

/// A source over an asynchronous sequence: each element is shown as soon as it arrives.
///
/// ``FetchedDataSource/load()`` starts the iteration; the load is complete when the sequence ends
/// and fails when it throws. Loading again iterates anew, and shows what is different in the end.
///
/// ```swift
/// let log = AsyncSequenceDataSource(name: "log", limit: .suffix(1_000)) { service.entries() }
/// log.load()
/// ```
public typealias AsyncSequenceDataSource<Elements: AsyncSequence> =
  FetchedDataSource<AsyncSequenceFetcher<Elements>>
where Elements.Element: Identifiable & Sendable, Elements.Element.ID: Sendable

extension FetchedDataSource {
  /// Creates a source over an asynchronous sequence.
  ///
  /// See ``init(name:fetcher:section:mode:limit:keepsEmptySection:delivery:isEqual:)`` for more
  /// information.
  ///
  /// - Parameters:
  ///   - name: What a reader would call the source.
  ///   - section: The section's header; nil stands for one without a title.
  ///   - mode: What a load does with the items of the loads before.
  ///   - limit: How many items are kept, and what happens beyond.
  ///   - delivery: Where callbacks are made.
  ///   - makeElements: Makes the sequence anew for each load.
  public convenience init<Elements: AsyncSequence>(
    name: String, section: SourceSection? = nil, mode: FetchMode = .replacing,
    limit: FetchLimit = .failing(), delivery: CallbackDelivery = .immediate,
    elements makeElements: @escaping @Sendable () -> Elements
  ) where Fetcher == AsyncSequenceFetcher<Elements>, Elements.Element: Hashable {
    self.init(
      name: name, fetcher: AsyncSequenceFetcher(makeElements), section: section, mode: mode,
      limit: limit, delivery: delivery)
  }
}
