import SectileCore

/// The rows of one table that a transaction touched, and what they were before it.
///
/// A *dirty set* with values: it may hold rows that did not change in the end, never too few.
struct PreImages: Sendable {
  /// What is known of a row as it was before the transaction.
  enum Finding {
    /// The transaction did not touch the row.
    case untouched
    /// There was no such row.
    case absent
    /// The row's values start here; see ``PreImages/withImage(at:_:)``.
    case image(Int)
    /// The row may have been touched, and its values are not known.
    case lost
  }

  private enum Offset {
    static let absent = -1
    static let lost = -2
  }

  /// The most bytes of values kept of one transaction; rows touched after that are lost.
  static let byteLimit = 256 << 20

  // One element. Behind one reference a copy of the rows costs one retain instead of one for each of
  // the arrays below it; the array brings copy on write.
  private var storage: ContiguousArray<Parts>

  init(columns: [String]) {
    storage = [Parts(columns: columns)]
  }

  /// What is kept of a time of which nothing is known.
  static let unknown: PreImages = {
    var images = PreImages(columns: [])
    images.isComplete = false
    return images
  }()

  /// The columns whose values are kept, by name.
  var columns: [String] { storage[0].columns }

  /// Whether rows may have been touched that are not listed.
  var isComplete: Bool {
    get { storage[0].isComplete }
    set { storage[0].isComplete = newValue }
  }

  /// How many rows were touched.
  var count: Int { storage[0].offsets.count }

  var isEmpty: Bool { storage[0].offsets.isEmpty && storage[0].isComplete }

  /// How much memory the values take.
  var byteCount: Int { storage[0].bytes.count + storage[0].offsets.count * 40 }

  /// Returns the key of a touched row by its position, in the order of touching.
  func key(at position: Int) -> RowKey { storage[0].key(at: position) }

  // MARK: Looking up

  func finding(_ key: RowKey) -> Finding {
    guard let handle = storage[0].handle(of: key) else {
      return isComplete ? .untouched : .lost
    }
    switch storage[0].offsets[Int(handle)] {
    case Offset.absent: return .absent
    case Offset.lost: return .lost
    case let offset: return .image(offset)
    }
  }

  /// Calls `body` with the columns of the image at a position, valid inside it.
  func withImage<Result>(
    at offset: Int, _ body: (UnsafeBufferPointer<RawColumn>) throws -> Result
  ) rethrows -> Result {
    let count = storage[0].columns.count
    return try storage[0].bytes.withUnsafeBytes { bytes in
      let image = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      return try RowImage(image, columnCount: count).withColumns(body)
    }
  }

  // MARK: Recording

  /// Notes a row that was touched and was not there before.
  mutating func noteAbsent(_ key: RowKey) { storage[0].noteAbsent(key) }

  /// Notes a row that is touched; the first time, `value` yields its values column by column, or nil
  /// where a value cannot be told.
  mutating func note(_ key: RowKey, value: (Int) -> RawColumn?) {
    storage[0].note(key, value: value)
  }
}

extension PreImages {
  private struct Parts: Sendable {
    let columns: [String]
    var isComplete = true
    // Both hand out handles one after another as long as nothing is removed.
    var integers = IntegerKeyMap()
    /// All keys, from the first one on that is not an integer.
    var general: GeneralKeyMap?
    // By handle of the keys.
    var offsets: ContiguousArray<Int> = []
    var bytes: ContiguousArray<UInt8> = []

    func key(at position: Int) -> RowKey {
      general?.key(of: Int32(position)) ?? .integer(integers.key(of: Int32(position)))
    }

    func handle(of key: RowKey) -> Int32? {
      if let general { return general.handle(of: key) }
      guard case .integer(let integer) = key else { return nil }
      return integers.handle(of: integer)
    }

    mutating func noteAbsent(_ key: RowKey) {
      if insert(key) { offsets.append(Offset.absent) }
    }

    mutating func note(_ key: RowKey, value: (Int) -> RawColumn?) {
      if insert(key) { offsets.append(appendImage(value)) }
    }

    /// Adds a key; false where it is there.
    private mutating func insert(_ key: RowKey) -> Bool {
      if general == nil {
        if case .integer(let integer) = key { return integers.insert(integer).isNew }
        general = GeneralKeyMap(integers)
        integers = IntegerKeyMap()
      }
      return general?.insert(key).isNew ?? false
    }

    private mutating func appendImage(_ value: (Int) -> RawColumn?) -> Int {
      let start = bytes.count
      guard start < PreImages.byteLimit else { return Offset.lost }
      // Most transactions touch one row: its image shall not be copied while it is written.
      if bytes.isEmpty { bytes.reserveCapacity(columns.count * 24) }
      for column in columns.indices {
        guard let value = value(column) else {
          bytes.removeLast(bytes.count - start)
          return Offset.lost
        }
        RowImage.append(value, to: &bytes)
      }
      return start
    }
  }
}
