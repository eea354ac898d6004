import SectileCore

/// One version of what a plan yields: which rows, in which sections, in which order, and a
/// fingerprint of each.
///
/// A value; copies share their storage until one is changed.
struct PlanContents: Sendable {
  var index = SectionedIndex(blockCapacity: InternalChecks.blockCapacity)
  var keys = RowKeyMap()
  /// By handle.
  ///
  /// Handles that are not in use hold what was there last.
  var fingerprints: [RowFingerprint] = []

  var count: Int { index.count }

  func key(at path: ItemPath) -> RowKey { keys.key(of: index.handle(at: path)) }

  func path(of key: RowKey) -> ItemPath? {
    keys.handle(of: key).flatMap { index.path(of: $0) }
  }

  func fingerprint(of handle: Int32) -> RowFingerprint { fingerprints[Int(handle)] }

  /// Remembers a row's fingerprint.
  ///
  /// Handles may come in any order; those in between are not in use, and hold the same.
  mutating func setFingerprint(_ fingerprint: RowFingerprint, of handle: Int32) {
    let position = Int(handle)
    if position < fingerprints.count {
      fingerprints[position] = fingerprint
    } else {
      let count = position + 1 - fingerprints.count
      fingerprints.append(contentsOf: repeatElement(fingerprint, count: count))
    }
  }
}
