/// An element of ``RankedBlocks``: it has a key of its own, and it may weigh more than one.
protocol RankedElement: Sendable {
  /// Whether weights differ from one. Where they do not, the weights are the counts.
  static var isWeighted: Bool { get }
  /// A small non-negative number, unique in the sequence.
  var key: Int32 { get }
  /// What the element adds to the total weight.
  var weight: Int { get }
  /// Returns the offset of the element with a key in a block, or nil.
  static func offset(of key: Int32, in block: ContiguousArray<Self>) -> Int?
}

extension RankedElement {
  static func offset(of key: Int32, in block: ContiguousArray<Self>) -> Int? {
    block.firstIndex { $0.key == key }
  }
}
