@testable import SectileCLI

/// A page of a damaged database.
///
/// Nothing leaves the page, a record is as long as it says, and what holds for a page that is read
/// strictly holds for it read otherwise.
enum PageProperties {
  private static let size = 512

  static func check(_ input: FuzzInput) {
    let rest = Array(repeating: 0 as UInt8, count: max(0, size - input.bytes.count))
    let bytes = Array(input.bytes.prefix(size)) + rest
    for number in [1, 2] {
      guard let page = TreePage(bytes, number: number, usableSize: size) else { continue }
      let keys = TreeWalk.keys(of: page)
      require(keys.count == page.cellCount, "a cell without a key, or a key without a cell")
      let strict = TreeWalk.keys(of: page, isStrict: true)
      require(zip(keys, strict).allSatisfy { $1 == nil || $0 == $1 }, "strict keys are others")
      let kept = zip(keys, TreeWalk.ascending(keys)).compactMap { $1 ? $0 : nil }
      require(zip(kept, kept.dropFirst()).allSatisfy { $0 < $1 }, "keys that do not ascend")
      _ = page.isFilled
      for position in 0..<page.cellCount {
        guard let payload = page.cell(at: position)?.payload else { continue }
        let end = input.isControl ? size - 1 : size
        require(payload.local.upperBound <= end, "a record that leaves its page")
        require(payload.local.count <= payload.length, "more of a record than it has")
        if payload.rest == 0 { checkRecord(Array(bytes[payload.local])) }
      }
    }
    checkRecord(input.bytes)
  }

  private static func checkRecord(_ record: [UInt8]) {
    for encoding in [PageFile.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian] {
      guard let found = StoredRecord(record, encoding: encoding) else { continue }
      require(found.values.count < record.count, "more values than a head has room for")
      require(found.invalidText.allSatisfy { $0 < found.values.count }, "text without a value")
    }
  }
}
