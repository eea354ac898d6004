internal import SectileCore

/// In which order rows stand by their keys.
struct KeyOrder<Key: Sendable>: Sendable {
  let areInIncreasingOrder: @Sendable (Key, Key) -> Bool
  private let sorting: @Sendable (inout ContiguousArray<Int32>, ContiguousArray<Key>) -> Void

  /// Creates the order that a closure says.
  init(_ areInIncreasingOrder: @escaping @Sendable (Key, Key) -> Bool) {
    self.areInIncreasingOrder = areInIncreasingOrder
    sorting = { numbers, keys in
      keys.withUnsafeBufferPointer { keys in
        // Of a buffer's element a copy would be made.
        guard let first = keys.baseAddress else { return }
        StableSort.sort(&numbers) { areInIncreasingOrder(first[Int($0)], first[Int($1)]) }
      }
    }
  }

  /// Creates the order of keys that can be compared.
  init(_ direction: SortDirection) where Key: Comparable {
    let isDescending = direction == .descending
    areInIncreasingOrder = { isDescending ? $1 < $0 : $0 < $1 }
    sorting = { numbers, keys in
      KeySort.sort(&numbers, by: keys, isDescending: isDescending)
    }
  }

  /// Sorts the numbers of rows by the rows' keys; those of equal keys keep their order.
  ///
  /// - Parameters:
  ///   - numbers: The numbers.
  ///   - keys: The key of each row by its number.
  /// - Complexity: O(*n* log *n*) comparisons.
  func sort(_ numbers: inout ContiguousArray<Int32>, by keys: ContiguousArray<Key>) {
    sorting(&numbers, keys)
  }
}

/// Sorts numbers by keys that can be compared.
private enum KeySort {
  /// The numbers of the types that are named here are compared where they are sorted, without a
  /// call.
  static func sort<Key: Comparable>(
    _ numbers: inout ContiguousArray<Int32>, by keys: ContiguousArray<Key>, isDescending: Bool
  ) {
    switch keys {
    case let keys as ContiguousArray<Int>: sort(&numbers, byNumbers: keys, isDescending)
    case let keys as ContiguousArray<Int64>: sort(&numbers, byNumbers: keys, isDescending)
    case let keys as ContiguousArray<Double>: sort(&numbers, byNumbers: keys, isDescending)
    case let keys as ContiguousArray<String>: sort(&numbers, byOthers: keys, isDescending)
    default: sort(&numbers, byOthers: keys, isDescending)
    }
  }

  private struct Entry<Key> {
    let key: Key
    let number: Int32
  }

  /// Keys that are small are sorted along with the numbers: they are next to one another then.
  @inline(__always)
  private static func sort<Key: Comparable>(
    _ numbers: inout ContiguousArray<Int32>, byNumbers keys: ContiguousArray<Key>,
    _ isDescending: Bool
  ) {
    var entries = ContiguousArray(numbers.map { Entry(key: keys[Int($0)], number: $0) })
    if isDescending {
      StableSort.sort(&entries) { $1.key < $0.key }
    } else {
      StableSort.sort(&entries) { $0.key < $1.key }
    }
    for (place, entry) in entries.enumerated() { numbers[place] = entry.number }
  }

  @inline(__always)
  private static func sort<Key: Comparable>(
    _ numbers: inout ContiguousArray<Int32>, byOthers keys: ContiguousArray<Key>,
    _ isDescending: Bool
  ) {
    keys.withUnsafeBufferPointer { keys in
      guard let first = keys.baseAddress else { return }
      if isDescending {
        StableSort.sort(&numbers) { first[Int($1)] < first[Int($0)] }
      } else {
        StableSort.sort(&numbers) { first[Int($0)] < first[Int($1)] }
      }
    }
  }
}
