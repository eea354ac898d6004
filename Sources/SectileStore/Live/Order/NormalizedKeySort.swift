/// Sorts normalized keys a word of eight bytes at a time.
///
/// Jon Bentley and Robert Sedgewick's multikey quicksort ("Fast Algorithms for Sorting and
/// Searching Strings", SODA 1997), with the word that is looked at kept beside each key, so that
/// the keys themselves are read once for each word and not for each comparison (Waihong Ng and
/// Katsuhiko Kakehi, "Cache Efficient Radix Sort for String Sorting", 2007).
///
/// ```text
/// keys with other words     < pivot     │     = pivot      │     > pivot
///                           same word         next word          same word
/// ```
///
/// Whoever picks rows so that all splits are bad ends at the standard library's sort: O(*n* log
/// *n*) comparisons at worst.
enum NormalizedKeySort {
  typealias Word = UInt64

  /// How many bytes have to follow the last key.
  static let slack = MemoryLayout<Word>.size

  /// A key: its bytes' place, the word that is looked at, and its row's number.
  struct Entry {
    var word: Word = 0
    let start: UInt32
    let number: Int32
  }

  /// So many keys are sorted by inserting one after another.
  private static let insertionCount = 12

  /// Sorts keys by their bytes.
  ///
  /// - Parameters:
  ///   - entries: The keys.
  ///   - bytes: Their bytes, and ``slack`` more. No key's are the beginning of another's.
  /// - Complexity: O(*n* log *n*) comparisons of words for *n* keys without long common beginnings.
  static func sort(_ entries: inout ContiguousArray<Entry>, by bytes: UnsafeRawBufferPointer) {
    let splits = 2 * (Int.bitWidth - entries.count.leadingZeroBitCount)
    entries.withUnsafeMutableBufferPointer { entries in
      load(entries, bytes, depth: 0)
      sort(entries, bytes, depth: 0, splits: splits)
    }
  }

  /// Sorts keys whose bytes up to a depth are the same, and whose words are the ones there.
  private static func sort(
    _ entries: UnsafeMutableBufferPointer<Entry>, _ bytes: UnsafeRawBufferPointer, depth: Int,
    splits: Int
  ) {
    var (entries, depth) = (entries, depth)
    while entries.count > insertionCount {
      guard splits > 0 else {
        entries.sort { isInOrder($0, $1, bytes, depth: depth) }
        return
      }
      let same = split(entries, around: pivot(of: entries))
      sort(entries.part(..<same.lowerBound), bytes, depth: depth, splits: splits - 1)
      sort(entries.part(same.upperBound...), bytes, depth: depth, splits: splits - 1)
      entries = entries.part(same)
      guard entries.count > 1 else { return }
      depth += MemoryLayout<Word>.size
      load(entries, bytes, depth: depth)
    }
    insertOneByOne(entries, bytes, depth: depth)
  }

  /// Puts smaller words before and larger words behind those that are the pivot, and returns where
  /// these are.
  private static func split(
    _ entries: UnsafeMutableBufferPointer<Entry>, around pivot: Word
  ) -> Range<Int> {
    let lower = gather(entries, from: 0) { $0 < pivot }
    return lower..<gather(entries, from: lower) { $0 == pivot }
  }

  /// Puts the keys whose words are wanted before the others, and returns where the others begin.
  ///
  /// Each step swaps and adds the outcome: a branch that goes either way would be mispredicted half
  /// of the time, and the compiler makes one of `? 1 : 0`.
  @inline(__always)
  private static func gather(
    _ entries: UnsafeMutableBufferPointer<Entry>, from start: Int, _ isWanted: (Word) -> Bool
  ) -> Int {
    var end = start
    for position in start..<entries.count {
      let entry = entries[position]
      entries[position] = entries[end]
      entries[end] = entry
      end &+= Int(unsafeBitCast(isWanted(entry.word), to: UInt8.self))
    }
    return end
  }

  /// The median of three words, or of three such medians.
  private static func pivot(of entries: UnsafeMutableBufferPointer<Entry>) -> Word {
    let count = entries.count
    func median(_ first: Int, _ second: Int, _ third: Int) -> Word {
      let (a, b, c) = (entries[first].word, entries[second].word, entries[third].word)
      return max(min(a, b), min(max(a, b), c))
    }
    guard count > 128 else { return median(0, count / 2, count - 1) }
    let step = count / 8
    let a = median(0, step, 2 * step)
    let b = median(count / 2 - step, count / 2, count / 2 + step)
    let c = median(count - 1 - 2 * step, count - 1 - step, count - 1)
    return max(min(a, b), min(max(a, b), c))
  }

  private static func insertOneByOne(
    _ entries: UnsafeMutableBufferPointer<Entry>, _ bytes: UnsafeRawBufferPointer, depth: Int
  ) {
    for position in entries.indices.dropFirst() {
      let entry = entries[position]
      var place = position
      while place > 0, isInOrder(entry, entries[place - 1], bytes, depth: depth) {
        entries[place] = entries[place - 1]
        place -= 1
      }
      entries[place] = entry
    }
  }

  private static func isInOrder(
    _ left: Entry, _ right: Entry, _ bytes: UnsafeRawBufferPointer, depth: Int
  ) -> Bool {
    if left.word != right.word { return left.word < right.word }
    // Sorting may compare a key with itself.
    guard left.start != right.start else { return false }
    var depth = depth
    while true {
      depth += MemoryLayout<Word>.size
      let (mine, other) = (word(of: left, bytes, depth), word(of: right, bytes, depth))
      if mine != other { return mine < other }
    }
  }

  private static func load(
    _ entries: UnsafeMutableBufferPointer<Entry>, _ bytes: UnsafeRawBufferPointer, depth: Int
  ) {
    for position in entries.indices {
      entries[position].word = word(of: entries[position], bytes, depth)
    }
  }

  @inline(__always)
  private static func word(
    of entry: Entry, _ bytes: UnsafeRawBufferPointer, _ depth: Int
  ) -> Word {
    Word(bigEndian: bytes.loadUnaligned(fromByteOffset: Int(entry.start) + depth, as: Word.self))
  }
}

extension UnsafeMutableBufferPointer {
  fileprivate func part(_ range: some RangeExpression<Int>) -> Self {
    Self(rebasing: self[range])
  }
}
