internal import SectileCore

/// JSON that is being written: its bytes, and the places in them that are written at the same time.
///
/// What nests is mostly whole when it is appended, and copied into its parent. A container that a
/// type keeps open beside others is a node of its own, which is put into its place at the end.
final class JSONNode {
  enum Kind { case nothing, value, array, object }

  private(set) var kind = Kind.nothing
  private var bytes: [UInt8] = []
  private var isEmpty = true
  private var open: [(offset: Int, node: JSONNode)] = []

  /// Begins the node, or goes on with it: a class and the one it inherits from may write into the
  /// same.
  func begin(_ kind: Kind) {
    if self.kind == kind { return }
    self.kind = kind
    bytes = []
    open = []
    isEmpty = true
  }

  /// The number of values in an array.
  private(set) var count = 0

  /// Begins a member of an object.
  func beginMember(_ name: String) {
    separate()
    JSONBytes.append(name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Begins an element of an array.
  func beginElement() {
    separate()
    count += 1
  }

  private func separate() {
    if !isEmpty { bytes.append(UInt8(ascii: ",")) }
    isEmpty = false
  }

  /// Appends a value with a closure that writes it.
  func append(_ write: (inout [UInt8]) -> Void) { write(&bytes) }

  /// Appends what is whole.
  func append(_ node: JSONNode) { node.write(to: &bytes) }

  /// Appends a place for what is not whole yet.
  func appendOpen() -> JSONNode {
    let node = JSONNode()
    open.append((bytes.count, node))
    return node
  }

  /// Writes everything.
  func write(to target: inout [UInt8]) {
    switch kind {
    case .object: target.append(UInt8(ascii: "{"))
    case .array: target.append(UInt8(ascii: "["))
    case .value, .nothing: break
    }
    var start = 0
    for (offset, node) in open {
      target += bytes[start..<offset]
      node.write(to: &target)
      start = offset
    }
    target += bytes[start...]
    switch kind {
    case .object: target.append(UInt8(ascii: "}"))
    case .array: target.append(UInt8(ascii: "]"))
    // A place that nothing was written to.
    case .nothing: target += "{}".utf8
    case .value: break
    }
  }
}
