internal import CFaultVFS
internal import Foundation
internal import SectileTestSupport

/// What a disk holds after the power went away, worked out from the journal of the file layer.
///
/// What was synced is there. Of what was not, each write is kept, dropped, or torn: of its sectors
/// of 512 bytes some are there. A file that was made and never synced may be missing, and one that
/// was removed may be there again, until its folder is synced.
struct PowerCut {
  /// How a cut treats what was not synced.
  private enum Mood: CaseIterable {
    case dropsAll, keepsAll, drawsWrites, drawsSectors
  }

  private struct Image {
    var durable: [UInt8] = []
    var isDurable = false
    var pending: [fault_entry] = []
  }

  /// Writes what survives a cut before the entry of that number into a folder.
  ///
  /// - Returns: The last mark before the cut, zero where there is none.
  static func materialize(
    before point: Int, in folder: String, random: inout SeededRandom
  ) throws -> Int64 {
    var images: [String: Image] = [:]
    var removed: [String: Image] = [:]
    var mark: Int64 = 0
    for index in 0..<point {
      let entry = fault_journal_entry(index)
      guard let name = entry.path.map({ String(cString: $0) }) else {
        mark = entry.offset
        continue
      }
      switch Int(entry.kind) {
      case Int(FAULT_OPEN): images[name] = Image()
      case Int(FAULT_SYNC):
        var image = images[name] ?? Image()
        for write in image.pending { apply(write, to: &image.durable) }
        image.pending = []
        // SQLite syncs the folder with the first sync of a new log: what was removed stays removed.
        if !image.isDurable, name.hasSuffix("-wal") || name.hasSuffix("-journal") { removed = [:] }
        image.isDurable = true
        images[name] = image
      case Int(FAULT_DELETE):
        let image = images.removeValue(forKey: name)
        removed[name] = entry.offset == 0 ? image : nil
      default: images[name, default: Image()].pending.append(entry)
      }
    }
    for (name, image) in removed where images[name] == nil && random.chance(0.5) {
      images[name] = image
    }
    let mood = Mood.allCases.randomElement(using: &random) ?? .dropsAll
    for (name, image) in images.sorted(by: { $0.key < $1.key }) {
      var bytes = image.durable
      if !image.isDurable, mood == .dropsAll || (mood != .keepsAll && random.chance(0.3)) {
        continue
      }
      for write in image.pending { survive(write, mood: mood, in: &bytes, random: &random) }
      let file = folder + "/" + (name.split(separator: "/").last.map(String.init) ?? name)
      try Data(bytes).write(to: URL(fileURLWithPath: file))
    }
    return mark
  }

  private static func survive(
    _ entry: fault_entry, mood: Mood, in bytes: inout [UInt8], random: inout SeededRandom
  ) {
    switch mood {
    case .dropsAll: return
    case .keepsAll: apply(entry, to: &bytes)
    case .drawsWrites: if random.chance(0.5) { apply(entry, to: &bytes) }
    case .drawsSectors:
      guard Int(entry.kind) == Int(FAULT_WRITE) else {
        if random.chance(0.5) { apply(entry, to: &bytes) }
        return
      }
      let (start, end) = (Int(entry.offset), Int(entry.offset) + Int(entry.size))
      var position = start
      while position < end {
        let next = min((position / 512 + 1) * 512, end)
        if random.chance(0.5) { apply(entry, from: position, to: next, in: &bytes) }
        position = next
      }
    }
  }

  private static func apply(_ entry: fault_entry, to bytes: inout [UInt8]) {
    let (start, size) = (Int(entry.offset), Int(entry.size))
    if Int(entry.kind) == Int(FAULT_TRUNCATE) {
      if bytes.count > start { bytes.removeLast(bytes.count - start) }
      return
    }
    apply(entry, from: start, to: start + size, in: &bytes)
  }

  private static func apply(
    _ entry: fault_entry, from start: Int, to end: Int, in bytes: inout [UInt8]
  ) {
    guard let source = entry.bytes, start < end else { return }
    if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    bytes.withUnsafeMutableBytes { target in
      target[start..<end].copyBytes(
        from: UnsafeRawBufferPointer(
          start: source + (start - Int(entry.offset)), count: end - start))
    }
  }
}
