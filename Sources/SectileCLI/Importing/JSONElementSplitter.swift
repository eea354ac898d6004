/// Finds the elements of a JSON array, chunk by chunk, without reading what is in them.
///
/// Only brackets and strings count, so a mistake inside an element is left to whoever reads it.
struct JSONElementSplitter {
  /// Why the elements cannot be found.
  struct Mistake: Error, Equatable {
    /// The reason.
    let reason: String
  }

  private enum State {
    case start
    case inside
    case end
  }

  private let limit: Int
  private var state = State.start
  private var depth = 0
  private var strings = JSONText.StringScanner()
  // The beginning of an element whose end is in a later chunk.
  private var rest: [UInt8] = []
  private var count = 0

  /// Creates a splitter.
  ///
  /// - Parameter limit: How many bytes an element may have.
  init(limit: Int) {
    self.limit = limit
  }

  /// Calls a closure with each element that ends in a chunk.
  ///
  /// - Throws: ``Mistake``, or what the closure throws.
  mutating func append(
    _ chunk: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var start = 0
    for (position, byte) in chunk.enumerated() {
      switch state {
      case .start:
        if JSONText.isSpace(byte) { continue }
        guard byte == UInt8(ascii: "[") else { throw Mistake(reason: "it does not begin with [") }
        state = .inside
        start = position + 1
      case .inside:
        guard try ends(at: byte) else { continue }
        let piece = UnsafeRawBufferPointer(rebasing: chunk[start..<position])
        start = position + 1
        try emit(piece, isLast: byte == UInt8(ascii: "]"), body)
        if byte == UInt8(ascii: "]") { state = .end }
      case .end:
        guard JSONText.isSpace(byte) else { throw Mistake(reason: "text follows the array") }
      }
    }
    guard state == .inside else { return }
    rest += chunk[start...]
    if rest.count > limit {
      throw Mistake(reason: "element \(count + 1) has more than \(limit) bytes")
    }
  }

  /// Checks that the array has ended.
  func finish() throws(Mistake) {
    switch state {
    case .start: throw Mistake(reason: "it is empty")
    case .inside: throw Mistake(reason: "it ends within element \(count + 1)")
    case .end: break
    }
  }

  /// Takes a byte into account, and returns whether it ends an element.
  private mutating func ends(at byte: UInt8) throws(Mistake) -> Bool {
    if strings.holds(byte) { return false }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "]") where depth == 0: return true
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if depth == 0 { throw Mistake(reason: "a } stands where element \(count + 1) should be") }
      depth -= 1
    case UInt8(ascii: ","): return depth == 0
    default: break
    }
    return false
  }

  private mutating func emit(
    _ piece: UnsafeRawBufferPointer, isLast: Bool, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    if rest.isEmpty { return try emitWhole(piece, isLast: isLast, body) }
    var element: [UInt8] = []
    swap(&element, &rest)
    element += piece
    try element.withUnsafeBytes { try emitWhole($0, isLast: isLast, body) }
  }

  private mutating func emitWhole(
    _ element: UnsafeRawBufferPointer, isLast: Bool,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    if JSONText.firstSign(of: element) == nil {
      if isLast && count == 0 { return }
      throw Mistake(reason: "element \(count + 1) is missing")
    }
    count += 1
    try body(element)
  }
}
