/// A crash that random inputs do not find: each byte opens a branch of its own.
///
/// It shows that the build counts branches and that the fuzzer follows them.
enum Maze {
  static func check(_ input: FuzzInput) {
    let way = Array("sectile".utf8)
    var depth = 0
    for (byte, wanted) in zip(input.bytes, way) {
      guard byte == wanted else { break }
      depth += 1
      step(depth)
    }
    require(depth < way.count, "the maze has a way out")
  }

  /// A branch for each depth, so that coming further is new coverage.
  @inline(never)
  private static func step(_ depth: Int) {
    switch depth {
    case 1: seen = 1
    case 2: seen = 4
    case 3: seen = 9
    case 4: seen = 16
    case 5: seen = 25
    case 6: seen = 36
    default: seen = 49
    }
  }

  nonisolated(unsafe) private static var seen = 0
}
