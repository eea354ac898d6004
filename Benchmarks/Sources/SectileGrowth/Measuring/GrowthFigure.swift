internal import Foundation

/// What one operation of a case costs at its two sizes, and the exponent of that.
struct GrowthFigure: CustomStringConvertible {
  /// How much higher than allowed an exponent may come out: caches and noise.
  static let room = 0.35

  private static let rounds = 3
  /// How long operations are repeated at least, in seconds of processor time.
  private static let shortest = 0.03
  private static let operationLimit = 300

  let sizes: (small: Int, large: Int)
  let costs: (small: Double, large: Double)
  let limit: Double

  var exponent: Double {
    log(costs.large / costs.small) / log(Double(sizes.large) / Double(sizes.small))
  }

  var isWithinLimit: Bool { exponent <= limit + Self.room }

  var description: String {
    func padded(_ text: String, _ width: Int) -> String {
      text.padding(toLength: width, withPad: " ", startingAt: 0)
    }
    return padded("\(sizes.small) → \(sizes.large)", 18)
      + padded("\(text(costs.small * 1e6)) → \(text(costs.large * 1e6))", 22)
      + padded(String(format: "%.2f", exponent), 10) + text(limit)
      + (isWithinLimit ? "" : "  TOO HIGH")
  }

  /// Measures a case.
  static func measure(_ work: any GrowthCase.Type) async throws -> GrowthFigure {
    let small = try await cost(of: work, size: work.sizes.small)
    let large = try await cost(of: work, size: work.sizes.large)
    return GrowthFigure(sizes: work.sizes, costs: (small, large), limit: work.exponent)
  }

  private static func cost<Work: GrowthCase>(of work: Work.Type, size: Int) async throws -> Double {
    var least = Double.infinity
    for _ in 0..<rounds {
      var world = try await Work(size: size)
      if Work.isRepeatable { try await world.perform() }
      let start = processorTime()
      var count = 0
      repeat {
        try await world.perform()
        count += 1
      } while Work.isRepeatable && count < operationLimit && processorTime() - start < shortest
      least = min(least, (processorTime() - start) / Double(count))
    }
    return least
  }

  /// The time that all threads of the process have computed, in seconds.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// A number with three digits that count.
func text(_ number: Double) -> String { String(format: "%.3g", number) }
