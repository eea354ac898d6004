/// Lifecycles that a consumer missed, as one.
///
/// What comes in may begin in the middle of a lifecycle, since a consumer comes when it likes; what
/// goes out is in the lifecycle's grammar.
struct MergedLifecycles<ItemID: Hashable & Sendable, Item: Sendable> {
  typealias Event = DataSourceEvent<ItemID, Item>
  private typealias Changes = Changeset<ItemID, Item>

  private var merged = MergedChanges<ItemID, Item>()
  /// Whether the consumer was told of a beginning and of no end.
  private var isOpen = false

  /// Merges events that follow each other.
  ///
  /// - Parameter events: The events, in order.
  /// - Returns: What to tell the consumer: one lifecycle, or its part so far, and one more for each
  ///   failure.
  mutating func merge(_ events: [Event]) -> [Event] {
    var result: [Event] = []
    var changes: [Changes] = []
    // How many of the changes are those of lifecycles that finished; nil where none did.
    var finishedCount: Int?
    var isLastFinished = false
    for event in events {
      switch event {
      case .willLoad: open(&result)
      case .didPartiallyLoad(let change):
        open(&result)
        changes.append(change)
      case .didFinishLoading where isOpen: finishedCount = changes.count
      case .didFinishLoading: break
      case .didFail:
        if let count = finishedCount {
          tell(changes.prefix(count), &result)
          close(with: .didFinishLoading, &result)
          changes.removeFirst(count)
        }
        open(&result)
        tell(changes[...], &result)
        close(with: event, &result)
        (changes, finishedCount) = ([], nil)
      }
      if case .didFinishLoading = event { isLastFinished = isOpen } else { isLastFinished = false }
    }
    tell(changes[...], &result)
    if isLastFinished { close(with: .didFinishLoading, &result) }
    return result
  }

  private mutating func open(_ result: inout [Event]) {
    if !isOpen { result.append(.willLoad) }
    isOpen = true
  }

  private mutating func close(with end: Event, _ result: inout [Event]) {
    result.append(end)
    isOpen = false
  }

  private mutating func tell(_ changes: ArraySlice<Changes>, _ result: inout [Event]) {
    result += merged.merge(Array(changes)).map { .didPartiallyLoad($0) }
  }
}
