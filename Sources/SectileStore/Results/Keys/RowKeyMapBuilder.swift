/// Makes a ``RowKeyMap`` of keys that are read one after another, each once.
///
/// ```swift
/// var builder = RowKeyMapBuilder()
/// index.appendRow(builder.append(integer: 40))  // 0
/// index.appendRow(builder.append(integer: 7))   // 1
/// let finished = builder.finish()
/// if let handles = finished.handles { index.renumberRows(handles) }
/// ```
///
/// While rows are read their handles are their positions, and keys are only written down. Which form
/// of map suits them is known at the end, and with it their final handles.
struct RowKeyMapBuilder: Sendable {
  /// What came of the keys.
  struct Finished {
    /// The map.
    var keys: RowKeyMap
    /// The handles by position, where they are not the positions themselves.
    var handles: ContiguousArray<Int32>?
    /// A key that was appended twice; the map is of no use then.
    var duplicate: RowKey?
  }

  private var integers: ContiguousArray<Int64> = []
  /// The map, from the first key on that is not an integer.
  private var general: GeneralKeyMap?
  private var duplicate: RowKey?

  init() {}

  /// The number of keys so far.
  var count: Int { general?.capacity ?? integers.count }

  /// Appends a key and returns its position.
  mutating func append(integer key: Int64) -> Int32 {
    if general != nil { return appendGeneral(.integer(key)) }
    integers.append(key)
    return Int32(truncatingIfNeeded: integers.count - 1)
  }

  /// Appends a key and returns its position.
  mutating func append(_ key: RowKey) -> Int32 {
    if case .integer(let integer) = key { return append(integer: integer) }
    return appendGeneral(key)
  }

  private mutating func appendGeneral(_ key: RowKey) -> Int32 {
    var map = general ?? GeneralKeyMap()
    general = nil
    if !integers.isEmpty {
      for integer in integers { Self.insert(.integer(integer), into: &map, &duplicate) }
      integers = []
    }
    let handle = Self.insert(key, into: &map, &duplicate)
    general = map
    return handle
  }

  @discardableResult
  private static func insert(
    _ key: RowKey, into map: inout GeneralKeyMap, _ duplicate: inout RowKey?
  ) -> Int32 {
    let (handle, isNew) = map.insert(key)
    if !isNew { duplicate = key }
    return handle
  }

  /// Returns the map of all keys, and leaves an empty builder.
  mutating func finish() -> Finished {
    defer { self = RowKeyMapBuilder() }
    if let general { return Finished(keys: RowKeyMap(general), duplicate: duplicate) }
    guard var lowest = integers.first else { return Finished(keys: RowKeyMap()) }
    var highest = lowest
    for integer in integers {
      lowest = min(lowest, integer)
      highest = max(highest, integer)
    }
    if let dense = DenseKeyMap(keys: lowest...highest, count: integers.count) {
      return finish(dense)
    }
    let (map, position) = IntegerKeyMap.make(integers)
    return Finished(
      keys: RowKeyMap(map), duplicate: position.map { .integer(integers[$0]) })
  }

  private func finish(_ empty: DenseKeyMap) -> Finished {
    var dense = empty
    guard let handles = dense.insert(all: integers) else {
      return Finished(keys: RowKeyMap(), duplicate: firstRepeated)
    }
    return Finished(keys: RowKeyMap(dense), handles: handles)
  }

  /// A key that was appended twice.
  private var firstRepeated: RowKey? {
    var seen: Set<Int64> = []
    return integers.first { !seen.insert($0).inserted }.map { .integer($0) }
  }
}
