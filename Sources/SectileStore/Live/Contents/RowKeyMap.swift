import SectileCore

/// The two-way map between row keys and the small numbers, *handles*, that the index stores.
///
/// It has four forms, and passes from one to the next where a key does not fit:
///
/// ```text
/// dense      integers that leave few gaps  the handle is key - base  1 bit a row
/// integers   any integers                  a hash table              13 to 18 bytes a row
/// texts      one text each                 a hash table              13 to 18 bytes, and the text
/// general    several columns               a hash table              what the keys take
/// ```
///
/// A handle stays with its key as long as the key is in the map, also when the form changes.
/// Handles of removed rows are handed out again, and no handle is larger than about twice the
/// number of rows there ever were. A copy is a value: who holds one keeps reading the keys of its
/// own version.
struct RowKeyMap: Sendable {
  private enum Form {
    case dense
    case integers
    case texts
    case general
  }

  private struct Parts {
    var form = Form.dense
    var dense = DenseKeyMap()
    var integers = IntegerKeyMap()
    var texts = TextKeyMap()
    var general = GeneralKeyMap()
  }

  // One element. Behind one reference a copy of the map costs one retain instead of one for each of
  // the arrays below it; the array brings copy on write.
  private var storage: ContiguousArray<Parts>
  private static let empty: ContiguousArray<Parts> = [Parts()]

  init() {
    storage = Self.empty
  }

  init(_ dense: DenseKeyMap) {
    storage = [Parts(dense: dense)]
  }

  init(_ integers: IntegerKeyMap) {
    storage = [Parts(form: .integers, integers: integers)]
  }

  init(_ texts: TextKeyMap) {
    storage = [Parts(form: .texts, texts: texts)]
  }

  init(_ general: GeneralKeyMap) {
    storage = [Parts(form: .general, general: general)]
  }

  /// The number of keys.
  var count: Int {
    switch storage[0].form {
    case .dense: storage[0].dense.count
    case .integers: storage[0].integers.count
    case .texts: storage[0].texts.count
    case .general: storage[0].general.count
    }
  }

  /// One more than the largest handle ever handed out: the size of an array indexed by handle.
  var capacity: Int {
    switch storage[0].form {
    case .dense: storage[0].dense.capacity
    case .integers: storage[0].integers.capacity
    case .texts: storage[0].texts.capacity
    case .general: storage[0].general.capacity
    }
  }

  // MARK: - Finding

  func handle(of key: RowKey) -> Int32? {
    switch key {
    case .integer(let integer): handle(ofInteger: integer)
    case .value(.text(let text)) where storage[0].form == .texts:
      storage[0].texts.handle(of: text)
    case .value, .values:
      storage[0].form == .general ? storage[0].general.handle(of: key) : nil
    }
  }

  /// Returns the handle that a key has if it is in the map; maybe one that no key has if it is not.
  func possibleHandle(of key: RowKey) -> Int32? {
    if case .integer(let integer) = key, storage[0].form == .dense {
      return storage[0].dense.possibleHandle(of: integer)
    }
    return handle(of: key)
  }

  func handle(ofInteger key: Int64) -> Int32? {
    switch storage[0].form {
    case .dense: storage[0].dense.handle(of: key)
    case .integers: storage[0].integers.handle(of: key)
    case .texts: nil
    case .general: storage[0].general.handle(of: .integer(key))
    }
  }

  /// Returns the handles of many integer keys; nil where the map lacks one, or its form is not
  /// dense.
  func handles(ofAll keys: ContiguousArray<Int64>) -> ContiguousArray<Int32>? {
    storage[0].form == .dense ? storage[0].dense.handles(ofAll: keys) : nil
  }

  func key(of handle: Int32) -> RowKey {
    switch storage[0].form {
    case .dense: .integer(storage[0].dense.key(of: handle))
    case .integers: .integer(storage[0].integers.key(of: handle))
    case .texts: .value(.text(storage[0].texts.key(of: handle)))
    case .general: storage[0].general.key(of: handle)
    }
  }

  // MARK: - Changing

  /// Returns the handle of a key, handing out one if it has none.
  mutating func insert(_ key: RowKey) -> (handle: Int32, isNew: Bool) {
    if case .integer(let integer) = key { return insert(integer: integer) }
    // Most keys are there, and looking costs less than a copy of what is shared.
    if let handle = handle(of: key) { return (handle, false) }
    if case .value(.text(let text)) = key {
      if capacity == 0 { storage[0].form = .texts }
      if storage[0].form == .texts, let inserted = storage[0].texts.insert(text) { return inserted }
    }
    makeGeneral()
    return storage[0].general.insert(key)
  }

  /// Returns the handle of an integer key, handing out one if it has none.
  mutating func insert(integer key: Int64) -> (handle: Int32, isNew: Bool) {
    if let handle = handle(ofInteger: key) { return (handle, false) }
    if storage[0].form == .dense {
      if let inserted = storage[0].dense.insert(key) { return inserted }
      storage[0].integers = IntegerKeyMap(storage[0].dense)
      storage[0].dense = DenseKeyMap()
      storage[0].form = .integers
    }
    if storage[0].form == .integers { return storage[0].integers.insert(key) }
    makeGeneral()
    return storage[0].general.insert(.integer(key))
  }

  /// Takes a key out of the map.
  mutating func remove(_ handle: Int32) {
    switch storage[0].form {
    case .dense: storage[0].dense.remove(handle)
    case .integers: storage[0].integers.remove(handle)
    case .texts: storage[0].texts.remove(handle)
    case .general: storage[0].general.remove(handle)
    }
  }

  /// Makes room for so many keys in all, where the form is one that needs room.
  mutating func reserve(count: Int) {
    switch storage[0].form {
    case .dense: break
    case .integers: storage[0].integers.reserve(count: count)
    case .texts: storage[0].texts.reserve(count: count)
    case .general: storage[0].general.reserve(count: count)
    }
  }

  private mutating func makeGeneral() {
    switch storage[0].form {
    case .dense: storage[0].general = GeneralKeyMap(IntegerKeyMap(storage[0].dense))
    case .integers: storage[0].general = GeneralKeyMap(storage[0].integers)
    case .texts: storage[0].general = GeneralKeyMap(storage[0].texts)
    case .general: return
    }
    storage[0].dense = DenseKeyMap()
    storage[0].integers = IntegerKeyMap()
    storage[0].texts = TextKeyMap()
    storage[0].form = .general
  }
}
