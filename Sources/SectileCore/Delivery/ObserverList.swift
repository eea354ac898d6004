/// Observers in the order in which they came.
///
/// Each has a number, larger than those before: one that goes is found by it, and so are those that
/// came since a list was copied.
struct ObserverList: RandomAccessCollection {
  // One array: a list is copied for each round of callbacks.
  private var entries: [(number: Int, observer: SourceObserver)] = []
  /// The number of the last that came, be it gone.
  private var lastNumber = 0

  var startIndex: Int { 0 }
  var endIndex: Int { entries.count }
  subscript(position: Int) -> SourceObserver { entries[position].observer }

  /// Appends an observer, and returns its number.
  mutating func append(_ observer: SourceObserver) -> Int {
    lastNumber += 1
    entries.append((lastNumber, observer))
    return lastNumber
  }

  /// Removes the observer with a number, if it is there, and returns it.
  mutating func remove(_ number: Int) -> SourceObserver? {
    let position = entries.partitioningIndex { $0.number >= number }
    guard position < entries.count, entries[position].number == number else { return nil }
    return entries.remove(at: position).observer
  }

  /// Returns those that came since another list was a copy of this one.
  func newer(than former: ObserverList) -> [SourceObserver] {
    entries[entries.partitioningIndex { $0.number > former.lastNumber }...].map(\.observer)
  }
}
