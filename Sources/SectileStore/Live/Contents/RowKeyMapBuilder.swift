import SectileCore

/// Makes a ``RowKeyMap`` of keys that are read one after another, each once.
///
/// ```swift
/// var builder = RowKeyMapBuilder()
/// builder.append(.integer(40))  // position 0
/// builder.append(.integer(7))   // position 1
/// index.appendRows(upTo: 2)
/// let finished = builder.finish()
/// if let handles = finished.handles { index.renumberRows(handles) }
/// ```
///
/// While rows are read their handles are their positions, and keys are only written down. Which
/// form of map suits them is known at the end, and with it their final handles.
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

  // One of the three holds all keys: one form passes into the last where a key does not fit.
  private var integers: ContiguousArray<Int64> = []
  private var texts: TextKeyMap?
  private var general: GeneralKeyMap?
  /// A key that was appended twice, as far as that was noticed: integers and texts are compared at
  /// the end.
  private(set) var duplicate: RowKey?

  init() {}

  /// The number of keys so far.
  var count: Int { general?.capacity ?? texts?.capacity ?? integers.count }

  mutating func append(_ key: RowKey) {
    switch key {
    case .integer(let integer) where general == nil && texts == nil: integers.append(integer)
    case .value(.text(let text)) where general == nil && integers.isEmpty:
      if texts == nil { texts = TextKeyMap() }
      if texts?.append(text) != true { appendGeneral(key) }
    case .integer, .value, .values: appendGeneral(key)
    }
  }

  private mutating func appendGeneral(_ key: RowKey) {
    var map = general ?? GeneralKeyMap()
    general = nil
    for integer in integers { Self.insert(.integer(integer), into: &map, &duplicate) }
    integers = []
    if let texts = texts.take() {
      for handle in 0..<Int32(texts.capacity) {
        Self.insert(.value(.text(texts.key(of: handle))), into: &map, &duplicate)
      }
    }
    Self.insert(key, into: &map, &duplicate)
    general = map
  }

  private static func insert(
    _ key: RowKey, into map: inout GeneralKeyMap, _ duplicate: inout RowKey?
  ) {
    if !map.insert(key).isNew { duplicate = key }
  }

  /// Returns the handles that a map has for all of the keys, by position; nil where it lacks one,
  /// or has to be asked for them one by one.
  func handles(in map: RowKeyMap) -> ContiguousArray<Int32>? {
    general == nil && texts == nil ? map.handles(ofAll: integers) : nil
  }

  /// Calls `body` with the keys by position, which they have as long as none was appended twice.
  func forEach(_ body: (RowKey) throws -> Void) rethrows {
    if let general {
      for handle in 0..<general.capacity { try body(general.key(of: Int32(handle))) }
    } else if let texts {
      for handle in 0..<texts.capacity { try body(.value(.text(texts.key(of: Int32(handle))))) }
    } else {
      for integer in integers { try body(.integer(integer)) }
    }
  }

  /// Returns the map of all keys, and leaves an empty builder.
  mutating func finish() -> Finished {
    defer { self = RowKeyMapBuilder() }
    if let general { return Finished(keys: RowKeyMap(general), duplicate: duplicate) }
    if var texts {
      let repeated = texts.findAll()
      return Finished(
        keys: RowKeyMap(texts), duplicate: repeated.map { .value(.text(texts.key(of: $0))) })
    }
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
