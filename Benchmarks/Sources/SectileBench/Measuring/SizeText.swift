/// Numbers of rows as people write them.
enum SizeText {
  static func text(_ size: Int) -> String {
    if size >= 1_000_000 && size % 1_000_000 == 0 { return "\(size / 1_000_000)M" }
    return size >= 1_000 && size % 1_000 == 0 ? "\(size / 1_000)k" : "\(size)"
  }
}
