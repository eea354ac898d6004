/// Observers in the order in which they came.
///
/// Each has a number, larger than those before: one that goes is found by it, and so are those that came
/// since a list was copied.
struct ObserverList: RandomAccessCollection {
  private var numbers: [Int] = []
  private var observers: [SourceObserver] = []
  /// The number of the last that came, be it gone.
  private var lastNumber = 0

  var startIndex: Int { 0 }
  var endIndex: Int { observers.count }
  subscript(position: Int) -> SourceObserver { observers[position] }

  /// Appends an observer, and returns its number.
  mutating func append(_ observer: SourceObserver) -> Int {
    lastNumber += 1
    numbers.append(lastNumber)
    observers.append(observer)
    return lastNumber
  }

  /// Removes the observer with a number, if it is there, and returns it.
  mutating func remove(_ number: Int) -> SourceObserver? {
    let position = numbers.partitioningIndex { $0 >= number }
    guard position < numbers.count, numbers[position] == number else { return nil }
    numbers.remove(at: position)
    return observers.remove(at: position)
  }

  /// Returns those that came since another list was a copy of this one.
  func newer(than former: ObserverList) -> ArraySlice<SourceObserver> {
    observers[numbers.partitioningIndex { $0 > former.lastNumber }...]
  }
}
