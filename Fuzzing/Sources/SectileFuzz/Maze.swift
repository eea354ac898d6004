/// A crash that random inputs find once in four thousand million: each byte opens a branch of its
/// own.
///
/// It shows that the build counts branches and that the fuzzer follows them.
enum Maze {
  // Optimized, the four comparisons would become one.
  @_optimize(none)
  static func check(_ input: FuzzInput) {
    let bytes = input.bytes
    func turns(_ position: Int, _ way: Unicode.Scalar) -> Bool {
      position < bytes.count && bytes[position] == UInt8(ascii: way)
    }
    guard turns(0, "m") else { return }
    guard turns(1, "a") else { return }
    guard turns(2, "z") else { return }
    guard turns(3, "e") else { return }
    violated("the maze has a way out")
  }
}
