/// The numbers of sections by their identities, as a value whose copies share what neither has
/// changed since.
///
/// ```text
/// root          [ · · · · · · · · ]          a branch goes by four bits of the identity's hash
///                 │       │
/// branch      [ · · · · ] │                  the next four bits
///               │         │
/// leaves        B→2 K→7   A→0 …              a few identities each, in a dictionary
/// ```
///
/// Changing one of a hundred thousand identities copies a leaf, and the branches above it.
struct SectionKeys: Sendable {
  /// A leaf, which has entries, or a branch, which has children.
  private struct Node: Sendable {
    var entries: [StoredValue: Int32] = [:]
    var children: ContiguousArray<Node> = []
  }

  /// How many entries a leaf may have, unless their hashes are the same.
  static let leafLimit = 32

  private static let bits = 4
  private static var childCount: Int { 1 << bits }

  /// The number of identities.
  private(set) var count = 0
  private var root = Node()

  /// Returns the number of a section, or nil.
  ///
  /// - Complexity: O(log *s*) for *s* sections.
  subscript(identity: StoredValue) -> Int32? {
    if root.children.isEmpty { return root.entries[identity] }
    return Self.find(identity, in: root.children, hash: Self.hash(of: identity))
  }

  private static func find(
    _ identity: StoredValue, in children: ContiguousArray<Node>, hash: UInt
  ) -> Int32? {
    var children = children
    var hash = hash
    while true {
      let node = children[place(of: hash)]
      if node.children.isEmpty { return node.entries[identity] }
      children = node.children
      hash >>= UInt(bits)
    }
  }

  /// Makes room for many identities at once: what is made now need not be split later.
  ///
  /// - Complexity: O(*s*) for *s* sections.
  mutating func reserveCapacity(_ capacity: Int) {
    if count == 0 { root = Self.node(for: capacity) }
  }

  private static func node(for capacity: Int) -> Node {
    var node = Node()
    if capacity > leafLimit {
      node.children = ContiguousArray(
        (0..<childCount).map { _ in Self.node(for: capacity / childCount) })
    } else {
      node.entries.reserveCapacity(capacity)
    }
    return node
  }

  /// Gives a section a number, and returns the one it had.
  ///
  /// - Complexity: O(log *s*) for *s* sections.
  mutating func updateValue(_ number: Int32, forKey identity: StoredValue) -> Int32? {
    let former = Self.insert(
      number, identity, into: &root, hash: Self.hash(of: identity), depth: 0)
    if former == nil { count += 1 }
    return former
  }

  private static func insert(
    _ number: Int32, _ identity: StoredValue, into node: inout Node, hash: UInt, depth: Int
  ) -> Int32? {
    if !node.children.isEmpty {
      return insert(
        number, identity, into: &node.children[place(of: hash)],
        hash: hash >> UInt(bits),
        depth: depth + 1)
    }
    let former = node.entries.updateValue(number, forKey: identity)
    // Of a hash whose bits are used up no more can be told.
    if node.entries.count > leafLimit, (depth + 1) * bits <= UInt.bitWidth {
      split(&node, depth: depth)
    }
    return former
  }

  private static func split(_ node: inout Node, depth: Int) {
    node.children = ContiguousArray(repeating: Node(), count: childCount)
    for (identity, number) in node.entries {
      let hash = hash(of: identity) >> UInt(depth * bits)
      node.children[place(of: hash)].entries[identity] = number
    }
    node.entries = [:]
  }

  /// Forgets a section.
  ///
  /// - Complexity: O(log *s*) for *s* sections.
  mutating func removeValue(forKey identity: StoredValue) {
    if Self.remove(identity, from: &root, hash: Self.hash(of: identity)) { count -= 1 }
  }

  private static func remove(
    _ identity: StoredValue, from node: inout Node, hash: UInt
  ) -> Bool {
    if node.children.isEmpty { return node.entries.removeValue(forKey: identity) != nil }
    let place = Self.place(of: hash)
    guard remove(identity, from: &node.children[place], hash: hash >> UInt(bits)) else {
      return false
    }
    join(&node, after: place)
    return true
  }

  /// Makes a leaf of a branch whose leaves are nearly empty.
  private static func join(_ node: inout Node, after place: Int) {
    guard node.children[place].children.isEmpty, node.children[place].entries.isEmpty else {
      return
    }
    var total = 0
    for child in node.children {
      guard child.children.isEmpty else { return }
      total += child.entries.count
    }
    guard total <= leafLimit / 2 else { return }
    for child in node.children { node.entries.merge(child.entries) { first, _ in first } }
    node.children = []
  }

  /// Returns which child of a branch the lowest bits of a hash mean.
  private static func place(of hash: UInt) -> Int {
    Int(truncatingIfNeeded: hash) & (childCount - 1)
  }

  private static func hash(of identity: StoredValue) -> UInt {
    UInt(bitPattern: identity.hashValue)
  }

  // MARK: - For tests

  /// How many entries the largest leaf has, and how many branches are above the deepest one: what a
  /// change of a copy copies.
  var shape: (largestLeaf: Int, depth: Int) { Self.shape(of: root) }

  private static func shape(of node: Node) -> (largestLeaf: Int, depth: Int) {
    let shapes = node.children.map { shape(of: $0) }
    return (
      max(node.entries.count, shapes.map(\.largestLeaf).max() ?? 0),
      (shapes.map(\.depth).max() ?? -1) + 1
    )
  }
}
