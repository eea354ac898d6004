/// The pages that were committed to a write-ahead log, as SQLite would take them from there: up to
/// the first frame whose salt or checksum is wrong.
struct PageLog {
  /// How many bytes a page has.
  let pageSize: Int
  /// How many pages the database has with the log.
  let pageCount: Int
  /// How many pages are in the log.
  var loggedCount: Int { offsets.count }

  private static let headSize = 32
  private static let frameHeadSize = 24

  private let file: ReadOnlyFile
  private let offsets: [Int: Int]

  /// Reads a log; nil where there is none, or nothing was committed to it.
  ///
  /// - Parameter path: Its path.
  init?(path: String) {
    guard let file = try? ReadOnlyFile(path), let head = file.read(Self.headSize, at: 0),
      let mark = FileNumber.fixed(head, at: 0, size: 4), mark & ~1 == 0x377F_0682,
      FileNumber.fixed(head, at: 4, size: 4) == 3_007_000,
      let pageSize = FileNumber.fixed(head, at: 8, size: 4), PageFile.isPageSize(pageSize)
    else { return nil }
    var sum = Checksum(isBigEndian: mark & 1 == 1)
    sum.add(head[..<24])
    guard sum.stands(in: head, at: 24) else { return nil }

    var offsets: [Int: Int] = [:]
    var waiting: [Int: Int] = [:]
    var pageCount = 0
    var offset = Self.headSize
    while let frame = file.read(Self.frameHeadSize + pageSize, at: offset) {
      guard frame[8..<16] == head[16..<24] else { break }
      sum.add(frame[..<8])
      sum.add(frame[Self.frameHeadSize...])
      guard sum.stands(in: frame, at: 16),
        let page = FileNumber.fixed(frame, at: 0, size: 4), page > 0,
        let count = FileNumber.fixed(frame, at: 4, size: 4)
      else { break }
      waiting[page] = offset + Self.frameHeadSize
      if count > 0 {
        offsets.merge(waiting) { $1 }
        waiting = [:]
        pageCount = count
      }
      offset += frame.count
    }
    guard pageCount > 0 else { return nil }
    self.file = file
    self.pageSize = pageSize
    self.pageCount = pageCount
    self.offsets = offsets
  }

  /// Returns whether the log has a page.
  func has(_ page: Int) -> Bool { offsets[page] != nil }

  /// Returns the bytes of a page; nil where the log has none, or it cannot be read.
  func page(_ number: Int) -> [UInt8]? {
    offsets[number].flatMap { file.read(pageSize, at: $0) }
  }

  /// The sum over a log's head and frames.
  private struct Checksum {
    private let isBigEndian: Bool
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init(isBigEndian: Bool) {
      self.isBigEndian = isBigEndian
    }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
      var offset = bytes.startIndex
      while offset + 8 <= bytes.endIndex {
        first = first &+ word(bytes, at: offset) &+ second
        second = second &+ word(bytes, at: offset + 4) &+ first
        offset += 8
      }
    }

    func stands(in bytes: [UInt8], at offset: Int) -> Bool {
      FileNumber.fixed(bytes, at: offset, size: 4) == Int(first)
        && FileNumber.fixed(bytes, at: offset + 4, size: 4) == Int(second)
    }

    private func word(_ bytes: ArraySlice<UInt8>, at offset: Int) -> UInt32 {
      let word = bytes[offset..<offset + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
      return isBigEndian ? word : word.byteSwapped
    }
  }
}
