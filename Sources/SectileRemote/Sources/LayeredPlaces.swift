internal import SectileCore

/// Where each item is, in layers that copies share.
///
/// What changed last lies on top, and hides what is below; a layer is merged into the one below
/// once it is half as large. So recording a page costs O(*p* log *n*) over time, for *p* items in
/// the page and *n* in all, without copying what is there, and looking up costs O(log *n*).
struct LayeredPlaces<ItemID: Hashable & Sendable>: Sendable {
  /// The last is on top; nil in a layer means that the item is gone.
  private var layers: [[IdentityKey<ItemID>: ItemPath?]] = []

  subscript(id: ItemID) -> ItemPath? {
    let key = IdentityKey(id)
    for layer in layers.reversed() {
      if let place = layer[key] { return place }
    }
    return nil
  }

  /// Records where items are, or with nil that they are gone.
  mutating func record(_ places: [IdentityKey<ItemID>: ItemPath?]) {
    guard !places.isEmpty else { return }
    var top = places
    while let below = layers.last, below.count <= top.count * 2 {
      layers.removeLast()
      // The larger one takes up the smaller one.
      if below.count >= top.count {
        top = below.merging(top) { _, new in new }
      } else {
        top.merge(below) { new, _ in new }
      }
    }
    if layers.isEmpty { top = top.filter { $0.value != nil } }
    layers.append(top)
  }
}
