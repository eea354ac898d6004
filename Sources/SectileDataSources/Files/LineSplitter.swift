/// Cuts bytes into lines, chunk by chunk.
///
/// A line ends with LF or CR LF. A CR that is not followed by LF is a part of its line, and so is a
/// NUL. What follows the last line break is a line if it is not empty. A byte order mark at the
/// beginning is left out.
package struct LineSplitter: Sendable {
  /// A line is longer than allowed.
  package struct TooLong: Error, Hashable {
    /// The line's number, from one.
    package let line: Int
  }

  private let limit: Int
  private var rest: [UInt8] = []
  /// The number of lines that were cut.
  package private(set) var count = 0

  /// Creates a splitter.
  ///
  /// - Parameter limit: How many bytes a line may have, without its line break.
  package init(limit: Int) {
    self.limit = limit
  }

  /// Calls a closure with each line that ends in a chunk.
  package mutating func append(
    _ chunk: UnsafeRawBufferPointer, _ body: (_ line: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var start = 0
    while let end = chunk[start...].firstIndex(of: 0x0A) {
      let piece = UnsafeRawBufferPointer(rebasing: chunk[start..<end])
      if rest.isEmpty {
        try emit(piece, body)
      } else {
        rest += piece
        try emitRest(body)
      }
      start = end + 1
    }
    rest += chunk[start...]
    // One more may be the CR of a line break that is not there yet.
    guard rest.count - 1 - (count == 0 ? 3 : 0) <= limit else { throw TooLong(line: count + 1) }
  }

  /// Calls a closure with what follows the last line break, if anything does.
  package mutating func finish(_ body: (_ line: UnsafeRawBufferPointer) throws -> Void) throws {
    guard !rest.isEmpty else { return }
    // Without an LF behind it, a CR at the end is a part of the line; the emission takes one off.
    if rest.last == 0x0D { rest.append(0x0D) }
    try emitRest(body)
  }

  private mutating func emitRest(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let line = rest
    rest = []
    try line.withUnsafeBytes { try emit($0, body) }
  }

  private mutating func emit(
    _ line: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var bytes = line[...]
    if bytes.last == 0x0D { bytes = bytes.dropLast() }
    if count == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    guard bytes.count <= limit else { throw TooLong(line: count + 1) }
    count += 1
    try body(UnsafeRawBufferPointer(rebasing: bytes))
  }
}
