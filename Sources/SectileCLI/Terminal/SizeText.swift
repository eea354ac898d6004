/// Sizes as a person reads them.
enum SizeText {
  /// Returns a size in KiB, MiB or GiB with three or four digits; a dash for nil.
  static func text(kibibytes: Int64?) -> String {
    guard let kibibytes else { return "-" }
    var value = Double(kibibytes)
    for unit in ["KiB", "MiB"] {
      if value < 1024 { return "\(rounded(value)) \(unit)" }
      value /= 1024
    }
    return "\(rounded(value)) GiB"
  }

  private static func rounded(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    if tenths >= 10 || tenths == tenths.rounded() { return "\(Int64(value.rounded()))" }
    return "\(tenths)"
  }
}
