internal import Foundation
internal import Sectile

/// The pages of a damaged file, with what its log has committed.
///
/// It has the file open, so it must live as long as SQLite reads the file in this process: closing
/// it ends the locks that SQLite has.
final class PageFile {
  /// How a file stores text.
  enum Encoding {
    case utf8
    case utf16LittleEndian
    case utf16BigEndian
  }

  /// How many bytes a page has.
  let pageSize: Int
  /// How many bytes of a page SQLite uses.
  let usableSize: Int
  /// How many pages there are; the last one's number.
  let pageCount: Int
  /// How text is stored.
  let encoding: Encoding

  private let file: ReadOnlyFile
  private let log: PageLog?
  private let hasPointerMap: Bool
  private let firstTrunk: Int
  private let freeCount: Int

  /// Opens a file.
  ///
  /// - Parameter path: Its path.
  /// - Throws: ``CommandFailure`` where it cannot be opened, or its head makes no sense.
  init(_ path: String) throws(CommandFailure) {
    // SQLite looks for the log beside the file itself.
    let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let file = try ReadOnlyFile(path)
    let log = PageLog(path: path + "-wal")
    guard let head = log?.page(1) ?? file.read(100, at: 0), head.count >= 100 else {
      throw Self.unusable(path, "it is too short")
    }
    let written = Int(head[16]) << 8 | Int(head[17])
    pageSize = log?.pageSize ?? (written == 1 ? 65_536 : written)
    usableSize = pageSize - Int(head[20])
    guard Self.isPageSize(pageSize), usableSize >= 480 else {
      throw Self.unusable(path, "its head is damaged")
    }
    let fileCount = file.size / pageSize
    // What the file has behind the last page of the log's database is old. A page is in the file or
    // in the log, whatever the log says of their number.
    pageCount = min(log?.pageCount ?? fileCount, fileCount + (log?.loggedCount ?? 0))
    guard pageCount > 0 else { throw Self.unusable(path, "it is too short") }
    encoding =
      switch FileNumber.fixed(head, at: 56, size: 4) {
      case 2: .utf16LittleEndian
      case 3: .utf16BigEndian
      default: .utf8
      }
    hasPointerMap = FileNumber.fixed(head, at: 52, size: 4) != 0
    firstTrunk = FileNumber.fixed(head, at: 32, size: 4) ?? 0
    freeCount = FileNumber.fixed(head, at: 36, size: 4) ?? 0
    self.file = file
    self.log = log
  }

  /// Returns whether pages can have a size.
  static func isPageSize(_ size: Int) -> Bool {
    size >= 512 && size <= 65_536 && size & (size - 1) == 0
  }

  private static func unusable(_ path: String, _ reason: String) -> CommandFailure {
    CommandFailure(
      .data, "\(path): its pages cannot be read: \(reason)", hint: "Restore a backup.")
  }

  /// Returns the bytes of a page; nil where there is none of the number, or it cannot be read.
  func page(_ number: Int) -> [UInt8]? {
    guard has(number) else { return nil }
    if let log, log.has(number) { return log.page(number) }
    return file.read(pageSize, at: (number - 1) * pageSize)
  }

  /// Returns a page as one of a tree; nil where it cannot be one.
  func treePage(_ number: Int) -> TreePage? {
    page(number).flatMap { TreePage($0, number: number, usableSize: usableSize) }
  }

  /// Returns whether there is a page of a number.
  func has(_ number: Int) -> Bool { number >= 1 && number <= pageCount }

  // MARK: - Records

  /// Returns the bytes of a record; nil where a page is damaged that holds some of them.
  func bytes(of payload: TreePage.Payload, on page: TreePage) -> [UInt8]? {
    var bytes = Array(page.bytes[payload.local])
    let isWhole = follow(payload) { bytes += $0 }
    return isWhole ? bytes : nil
  }

  /// Returns whether the pages are there and in order that hold the rest of a record.
  func hasRest(of payload: TreePage.Payload) -> Bool { follow(payload) { _ in } }

  /// Hears the parts of a record that are on pages of their own; false where one is damaged.
  ///
  /// Each page holds a part, so it ends also where the pages lead in a circle.
  private func follow(
    _ payload: TreePage.Payload, _ part: (ArraySlice<UInt8>) -> Void
  ) -> Bool {
    guard payload.length <= pageCount * usableSize,
      payload.length <= Int(InspectionConnection.lengthLimit)
    else { return false }
    var rest = payload.length - payload.local.count
    var next = payload.rest
    while rest > 0 {
      guard next > 1, let bytes = page(next),
        let following = FileNumber.fixed(bytes, at: 0, size: 4)
      else { return false }
      let count = min(rest, usableSize - 4)
      part(bytes[4..<4 + count])
      rest -= count
      next = following
    }
    // The last page leads nowhere; one that does is another one.
    return next == 0
  }

  // MARK: - Pages that belong to no tree

  /// Returns whether a page may be one of a tree: SQLite keeps its locks at one place, and who
  /// leads to whom on pages of their own.
  func mayBeOfTree(_ number: Int) -> Bool {
    number != lockPage && !(hasPointerMap && number > 1 && number == mapPage(of: number))
  }

  private var lockPage: Int { 0x4000_0000 / pageSize + 1 }

  private func mapPage(of number: Int) -> Int {
    let page = (number - 2) / (usableSize / 5 + 1) * (usableSize / 5 + 1) + 2
    return page == lockPage ? page + 1 : page
  }

  /// What an auto-vacuum file says about a page.
  enum Pointer: Equatable {
    /// It is the first one of a tree.
    case root
    /// It is free.
    case free
    /// Another page leads to it.
    case below(Int)
  }

  /// Returns what an auto-vacuum file says about a page; nil for other files, and where it says
  /// nothing that makes sense.
  func pointer(of number: Int) -> Pointer? {
    guard hasPointerMap, number > 2, has(number), mayBeOfTree(number) else { return nil }
    let map = mapPage(of: number)
    guard number > map, let bytes = page(map) else { return nil }
    let offset = 5 * (number - map - 1)
    guard offset + 5 <= usableSize, let parent = FileNumber.fixed(bytes, at: offset + 1, size: 4)
    else { return nil }
    return switch bytes[offset] {
    case 1: .root
    case 2: .free
    case 5 where has(parent) && parent != number: .below(parent)
    default: nil
    }
  }

  /// Returns for each page, by its number, whether it is free; and whether the list of free pages
  /// is whole.
  func freePages() -> (isFree: [Bool], isWhole: Bool) {
    var isFree = Array(repeating: false, count: pageCount + 1)
    var found = 0
    func note(_ page: Int) -> Bool {
      guard page > 1, has(page), !isFree[page] else { return false }
      isFree[page] = true
      found += 1
      return true
    }
    var trunk = firstTrunk
    while trunk != 0 {
      guard note(trunk), let bytes = page(trunk),
        let next = FileNumber.fixed(bytes, at: 0, size: 4),
        let count = FileNumber.fixed(bytes, at: 4, size: 4), count <= usableSize / 4 - 2
      else { return (isFree, false) }
      for place in 0..<count {
        let page = FileNumber.fixed(bytes, at: 8 + place * 4, size: 4) ?? 0
        guard note(page) else { return (isFree, false) }
      }
      trunk = next
    }
    return (isFree, found == freeCount)
  }
}
