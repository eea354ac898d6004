/// Small numbers by key: a dictionary whose copies share what neither has changed since.
///
/// ```text
/// root            0 … 15                four bits of the key's hash per level
///                 │
/// branch          0 … 15
///                 │
/// leaf         [key: number]            a dictionary of at most 32 entries
/// ```
///
/// Setting one entry of a million copies one leaf and the four or five branches above it, where a
/// copied dictionary would copy all of its entries.
///
/// Reading and changing it calls the keys' `hash(into:)` and `==`.
struct IdentityTable<Key: Hashable & Sendable>: Sendable {
  private struct Node: Sendable {
    var entries: [Key: Int32] = [:]
    var children: ContiguousArray<Node> = []
  }

  private static var bits: Int { 4 }
  private static var fanout: Int { 1 << bits }
  private static var leafLimit: Int { 32 }

  private var root = Node()
  /// The number of entries.
  private(set) var count = 0

  init() {}

  /// The number of a key, or nil.
  subscript(key: Key) -> Int32? {
    guard !root.children.isEmpty else { return root.entries[key] }
    var hash = UInt(bitPattern: key.hashValue)
    return Self.withLeaf(of: root, &hash) { $0.entries[key] }
  }

  /// Sets the number of a key, and returns the one it had.
  @discardableResult
  mutating func set(_ number: Int32, for key: Key) -> Int32? {
    let former = Self.set(number, for: key, UInt(bitPattern: key.hashValue), 0, in: &root)
    if former == nil { count += 1 }
    return former
  }

  /// Removes a key, and returns the number it had.
  @discardableResult
  mutating func remove(_ key: Key) -> Int32? {
    let former = Self.remove(key, UInt(bitPattern: key.hashValue), in: &root)
    if former != nil { count -= 1 }
    return former
  }

  private static func withLeaf(
    of node: Node, _ hash: inout UInt, _ read: (Node) -> Int32?
  ) -> Int32? {
    guard !node.children.isEmpty else { return read(node) }
    let branch = Int(hash & UInt(fanout - 1))
    hash >>= UInt(bits)
    return withLeaf(of: node.children[branch], &hash, read)
  }

  private static func set(
    _ number: Int32, for key: Key, _ hash: UInt, _ depth: Int, in node: inout Node
  ) -> Int32? {
    guard node.children.isEmpty else {
      return set(
        number, for: key, hash >> UInt(bits), depth + 1,
        in: &node.children[Int(hash & UInt(fanout - 1))])
    }
    let former = node.entries.updateValue(number, forKey: key)
    // Keys whose hashes are the same in every bit stay in one leaf.
    if node.entries.count > leafLimit, (depth + 1) * bits < UInt.bitWidth {
      split(&node, depth)
    }
    return former
  }

  private static func split(_ node: inout Node, _ depth: Int) {
    node.children = ContiguousArray(repeating: Node(), count: fanout)
    for (key, number) in node.entries {
      let hash = UInt(bitPattern: key.hashValue) >> UInt(depth * bits)
      node.children[Int(hash & UInt(fanout - 1))].entries[key] = number
    }
    node.entries = [:]
  }

  private static func remove(_ key: Key, _ hash: UInt, in node: inout Node) -> Int32? {
    guard !node.children.isEmpty else { return node.entries.removeValue(forKey: key) }
    return remove(key, hash >> UInt(bits), in: &node.children[Int(hash & UInt(fanout - 1))])
  }
}
