internal import Foundation

/// Does the work that `scripts/guard` counts, and judges the counts.
@main
enum GuardCommand {
  static let usage = """
    Usage: sectile-guard list                        every case and its two counts
           sectile-guard describe                    every case and what one operation is
           sectile-guard run CASE COUNT              does a case's work so many times
           sectile-guard compare LIMITS SWIFT        judges the lines of the standard input
           sectile-guard write LIMITS SWIFT          makes limits of them
    SWIFT is the compiler's version; a line is 'CASE INSTRUCTIONS ALLOCATIONS', per operation.
    scripts/guard calls all of this, and explains it with --help.
    """

  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch let error as GuardError {
      fail("\(error)", code: error.code)
    } catch {
      fail("\(error)", code: 70)
    }
  }

  private static func run(_ arguments: [String]) throws {
    switch (arguments.first, arguments.count) {
    case ("list", 1):
      for work in GuardCases.all { print(work.name, work.counts.few, work.counts.many) }
    case ("describe", 1):
      for work in GuardCases.all {
        print(work.name.padding(toLength: 18, withPad: " ", startingAt: 0) + work.summary)
      }
    case ("run", 3):
      guard let count = Int(arguments[2]), count > 0 else {
        throw GuardError("'\(arguments[2])' is no count", code: 64)
      }
      try GuardCases.named(arguments[1]).run(count)
    case ("compare", 3): try judge(arguments).compare()
    case ("write", 3): try judge(arguments).write()
    case ("--help", _), ("-h", _): print(usage)
    default: throw GuardError(usage, code: 64)
    }
  }

  private static func judge(_ arguments: [String]) throws -> Judge {
    var measurements: [Measurement] = []
    while let line = readLine() { measurements.append(try Measurement(line: line)) }
    if measurements.isEmpty { throw GuardError("nothing was counted") }
    return Judge(
      path: arguments[1], environment: try Environment(swift: arguments[2]),
      measurements: measurements)
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    // The table before the error, in a log too.
    fflush(nil)
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(code)
  }
}
