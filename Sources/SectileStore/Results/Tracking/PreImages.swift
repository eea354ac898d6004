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
    static let unused = -3
  }

  /// The most bytes of values kept of one transaction; rows touched after that are lost.
  static let byteLimit = 256 << 20

  /// The columns whose values are kept, by name.
  let columns: [String]
  /// Whether rows may have been touched that are not listed.
  var isComplete = true

  private var keys = RowKeyMap()
  // By handle of `keys`, which need not be handed out one after another.
  private var offsets: ContiguousArray<Int> = []
  /// The handles in the order of touching.
  private var handles: ContiguousArray<Int32> = []
  private var bytes: ContiguousArray<UInt8> = []

  init(columns: [String]) {
    self.columns = columns
  }

  /// What is kept of a time of which nothing is known.
  static let unknown: PreImages = {
    var images = PreImages(columns: [])
    images.isComplete = false
    return images
  }()

  /// How many rows were touched.
  var count: Int { handles.count }

  var isEmpty: Bool { handles.isEmpty && isComplete }

  /// How much memory the values take.
  var byteCount: Int { bytes.count + offsets.count * 40 }

  /// Returns the key of a touched row by its position, in the order of touching.
  func key(at position: Int) -> RowKey { keys.key(of: handles[position]) }

  // MARK: Looking up

  func finding(_ key: RowKey) -> Finding {
    guard let handle = keys.handle(of: key) else { return isComplete ? .untouched : .lost }
    switch offsets[Int(handle)] {
    case Offset.absent: return .absent
    case Offset.lost: return .lost
    case let offset: return .image(offset)
    }
  }

  /// Calls `body` with the columns of the image at a position, valid inside it.
  func withImage<Result>(
    at offset: Int, _ body: (UnsafeBufferPointer<RawColumn>) throws -> Result
  ) rethrows -> Result {
    try bytes.withUnsafeBytes { bytes in
      let image = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      return try RowImage(image, columnCount: columns.count).withColumns(body)
    }
  }

  // MARK: Recording

  /// Notes a row that was touched and was not there before.
  mutating func noteAbsent(_ key: RowKey) {
    let (handle, isNew) = keys.insert(key)
    if isNew { setOffset(Offset.absent, of: handle) }
  }

  /// Notes a row that is touched; the first time, `value` yields its values column by column, or nil
  /// where a value cannot be told.
  mutating func note(_ key: RowKey, value: (Int) -> RawColumn?) {
    let (handle, isNew) = keys.insert(key)
    guard isNew else { return }
    setOffset(appendImage(value), of: handle)
  }

  private mutating func appendImage(_ value: (Int) -> RawColumn?) -> Int {
    let start = bytes.count
    guard start < Self.byteLimit else { return Offset.lost }
    for column in columns.indices {
      guard let value = value(column) else {
        bytes.removeLast(bytes.count - start)
        return Offset.lost
      }
      RowImage.append(value, to: &bytes)
    }
    return start
  }

  private mutating func setOffset(_ offset: Int, of handle: Int32) {
    handles.append(handle)
    while offsets.count <= Int(handle) { offsets.append(Offset.unused) }
    offsets[Int(handle)] = offset
  }
}
