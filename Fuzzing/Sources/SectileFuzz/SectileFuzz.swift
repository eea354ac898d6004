import Glibc

/// `sectile-fuzz TARGET [ARGUMENT …]`: fuzzes one target; the arguments are libFuzzer's.
///
/// `--list` names the targets. `SECTILE_FUZZ_CONTROL=1` plants a mistake in the check of each
/// target, which the fuzzer must find.
@main struct SectileFuzz {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count > 1 else { usage() }
    if arguments[1] == "--list" {
      for target in FuzzTarget.all { print(target.name) }
      return
    }
    guard let target = FuzzTarget.all.first(where: { $0.name == arguments[1] }) else { usage() }
    selected = target
    // libFuzzer starts the program again where it runs in parallel, so the target stays in the
    // name of the program.
    var words = ([arguments[0]] + arguments.dropFirst(2)).map { strdup($0) } + [nil]
    var count = CInt(words.count - 1)
    let status = words.withUnsafeMutableBufferPointer { buffer in
      var start = buffer.baseAddress
      return runFuzzer(&count, &start, testOneInput)
    }
    exit(status)
  }

  private static func usage() -> Never {
    say("usage: sectile-fuzz TARGET [ARGUMENT …], or sectile-fuzz --list")
    exit(64)
  }
}

/// Set once, before the first input; libFuzzer calls on one thread.
nonisolated(unsafe) private var selected: FuzzTarget?

private let isControl = getenv("SECTILE_FUZZ_CONTROL").map { String(cString: $0) } == "1"

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let selected else { return 0 }
  let input = FuzzInput(
    bytes: Array(UnsafeBufferPointer(start: start, count: count)), isControl: isControl)
  do {
    try selected.check(input)
  } catch {
    violated("an error of a type that is not documented: \(type(of: error)): \(error)")
  }
  return 0
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
