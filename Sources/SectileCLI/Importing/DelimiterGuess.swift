/// What separates the fields of a file whose ending promises commas.
///
/// Programs in languages whose numbers have commas separate by semicolons and call it CSV all the
/// same.
enum DelimiterGuess {
  /// Tells which sign must be meant.
  ///
  /// - Parameter bytes: The first bytes of the input. Their first line is looked at, which names
  ///   the columns; what stands in quotes does not count.
  /// - Returns: The sign; nil where commas are there, or nothing tells.
  static func delimiter(in bytes: [UInt8]) -> UInt8? {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in bytes {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
      counts[byte, default: 0] += 1
    }
    if counts[UInt8(ascii: ",")] != nil { return nil }
    let others = [UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]
    return others.filter { counts[$0] != nil }.max {
      counts[$0, default: 0] < counts[$1, default: 0]
    }
  }

  /// Returns what messages call a sign.
  static func name(of delimiter: UInt8) -> String {
    switch delimiter {
    case UInt8(ascii: "\t"): "tabs"
    case UInt8(ascii: ";"): "semicolons"
    case UInt8(ascii: "|"): "bars"
    case UInt8(ascii: ","): "commas"
    default: "separators"
    }
  }
}
