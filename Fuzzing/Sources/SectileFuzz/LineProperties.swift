import Sectile

@testable import SectileCLI
@testable import SectileDataSources

/// Lines of text, and lines of JSON.
///
/// Lines do not depend on how the bytes arrive, and are those of a second, simple reader; records
/// come from lines, in order, and are read to the same when they are written.
enum LineProperties {
  static func check(_ input: FuzzInput) throws {
    let wanted = reference(input.bytes, isControl: input.isControl)
    for size in [1, 3, max(input.bytes.count, 1)] {
      let lines = try lines(of: input.bytes, by: size)
      require(lines == wanted, "lines by chunks of \(size): \(lines), not \(wanted)")
    }
    try requireFileLines(wanted, of: input.bytes)
    guard let records = try attempt(CommandFailure.self, { try JSONRecord.read(input.bytes) })
    else { return }
    require(records.count <= wanted.count, "\(records.count) records of \(wanted.count) lines")
    require(
      zip(records, records.dropFirst()).allSatisfy { $0.number < $1.number }
        && records.allSatisfy { (1...max(wanted.count, 1)).contains($0.number) },
      "the numbers of records are not those of lines")
    try JSONRecord.requireReadBack(records, isControl: false)
  }

  private static func lines(of bytes: [UInt8], by size: Int) throws -> [[UInt8]] {
    var splitter = LineSplitter(limit: 1 << 20)
    var lines: [[UInt8]] = []
    try bytes.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: size) {
        let chunk = bytes[start..<min(start + size, bytes.count)]
        try splitter.append(UnsafeRawBufferPointer(rebasing: chunk)) { lines.append(Array($0)) }
      }
    }
    try splitter.finish { lines.append(Array($0)) }
    require(splitter.count == lines.count, "\(splitter.count) lines are counted")
    return lines
  }

  /// The rule in its shortest form; the mistake is to take CR at the end of the input off.
  private static func reference(_ bytes: [UInt8], isControl: Bool) -> [[UInt8]] {
    var pieces = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    let last = pieces.removeLast()
    pieces = pieces.map { $0.last == 0x0D ? $0.dropLast() : $0 }
    if !last.isEmpty { pieces.append(isControl && last.last == 0x0D ? last.dropLast() : last) }
    if let first = pieces.first, first.starts(with: [0xEF, 0xBB, 0xBF]) {
      pieces[0] = Array(first.dropFirst(3))
    }
    return pieces
  }

  /// Requires that a source of the lines of a file has these lines, each with an identity of its
  /// own.
  private static func requireFileLines(_ lines: [[UInt8]], of bytes: [UInt8]) throws {
    MemoryFile.fill(bytes)
    for options in [FileLinesOptions(), FileLinesOptions(invalidText: .refused)] {
      let reader = LineReader(
        file: try TextFile(path: MemoryFile.path), path: MemoryFile.path, options: options)
      var read: [FileLine] = []
      let isRead =
        try attempt(DataSourceError.self) {
          while let more = try reader.next(byteCount: 7) { read += more }
          return true
        } ?? false
      let isText = lines.allSatisfy { String(validating: $0, as: UTF8.self) != nil }
      require(isRead == (isText || !options.invalidText.isRefused), "a file is read, or not")
      guard isRead else { continue }
      let texts = lines.map { String(decoding: $0, as: UTF8.self) }
      require(read.count == texts.count, "a file has other lines than its bytes")
      require(
        zip(read, texts).allSatisfy { $0.text.utf8.elementsEqual($1.utf8) },
        "a file has other lines than its bytes")
      require(Set(read.map(\.id)).count == read.count, "two lines have one identity")
    }
  }
}
