/// The two-way map between row keys and the small numbers, *handles*, that the index stores.
///
/// It has three forms, and passes from one to the next where a key does not fit:
///
/// ```text
/// dense       integers that leave few gaps     the handle is key - base    1 bit a row
/// integers    any integers                     a hash table                13 to 18 bytes a row
/// general     text, several columns            a hash table                what the keys take
/// ```
///
/// A handle stays with its key as long as the key is in the map, also when the form changes. Handles
/// of removed rows are handed out again, and no handle is larger than about twice the number of rows
/// there ever were. A copy is a value: who holds one keeps reading the keys of its own version.
struct RowKeyMap: Sendable {
  private enum Form {
    case dense
    case integers
    case general
  }

  private var form = Form.dense
  private var dense = DenseKeyMap()
  private var integers = IntegerKeyMap()
  private var general = GeneralKeyMap()

  init() {}

  init(_ dense: DenseKeyMap) {
    self.dense = dense
  }

  init(_ integers: IntegerKeyMap) {
    self.integers = integers
    form = .integers
  }

  init(_ general: GeneralKeyMap) {
    self.general = general
    form = .general
  }

  /// The number of keys.
  var count: Int {
    switch form {
    case .dense: dense.count
    case .integers: integers.count
    case .general: general.count
    }
  }

  /// One more than the largest handle ever handed out: the size of an array indexed by handle.
  var capacity: Int {
    switch form {
    case .dense: dense.capacity
    case .integers: integers.capacity
    case .general: general.capacity
    }
  }

  // MARK: - Finding

  func handle(of key: RowKey) -> Int32? {
    if form == .general { return general.handle(of: key) }
    guard case .integer(let integer) = key else { return nil }
    return handle(ofInteger: integer)
  }

  func handle(ofInteger key: Int64) -> Int32? {
    switch form {
    case .dense: dense.handle(of: key)
    case .integers: integers.handle(of: key)
    case .general: general.handle(of: .integer(key))
    }
  }

  func key(of handle: Int32) -> RowKey {
    switch form {
    case .dense: .integer(dense.key(of: handle))
    case .integers: .integer(integers.key(of: handle))
    case .general: general.key(of: handle)
    }
  }

  // MARK: - Changing

  /// Returns the handle of a key, handing out one if it has none.
  mutating func insert(_ key: RowKey) -> (handle: Int32, isNew: Bool) {
    if case .integer(let integer) = key { return insert(integer: integer) }
    makeGeneral()
    return general.insert(key)
  }

  /// Returns the handle of an integer key, handing out one if it has none.
  mutating func insert(integer key: Int64) -> (handle: Int32, isNew: Bool) {
    if form == .dense {
      if let inserted = dense.insert(key) { return inserted }
      integers = IntegerKeyMap(dense)
      dense = DenseKeyMap()
      form = .integers
    }
    return form == .integers ? integers.insert(key) : general.insert(.integer(key))
  }

  /// Takes a key out of the map.
  mutating func remove(_ handle: Int32) {
    switch form {
    case .dense: dense.remove(handle)
    case .integers: integers.remove(handle)
    case .general: general.remove(handle)
    }
  }

  /// Makes room for so many keys in all, where the form is one that needs room.
  mutating func reserve(count: Int) {
    switch form {
    case .dense: break
    case .integers: integers.reserve(count: count)
    case .general: general.reserve(count: count)
    }
  }

  private mutating func makeGeneral() {
    switch form {
    case .dense: general = GeneralKeyMap(IntegerKeyMap(dense))
    case .integers: general = GeneralKeyMap(integers)
    case .general: return
    }
    dense = DenseKeyMap()
    integers = IntegerKeyMap()
    form = .general
  }
}
