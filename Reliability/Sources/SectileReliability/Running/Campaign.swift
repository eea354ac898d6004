internal import Foundation
internal import SectileTestSupport

/// Runs cases, each for its share of the time, with one seed after another.
struct Campaign {
  let cases: [any ReliabilityCase]
  let seconds: Double
  /// The first seed.
  let seed: UInt64
  /// How many seeds each case runs; nil for as many as there is time for.
  let seedCount: Int?

  func run() -> [Tally] {
    var tallies: [Tally] = []
    for (index, one) in cases.enumerated() {
      let start = Date()
      var tally = Tally(name: one.name)
      let share = seconds * one.weight / cases.reduce(0) { $0 + $1.weight }
      var current = seed
      repeat {
        note("scripts/reliability --case \(one.name) --seed \(current)")
        do {
          try one.run(seed: current, tally: &tally)
        } catch {
          let text = "\(error)\n    scripts/reliability --case \(one.name) --seed \(current)"
          tally.findings.append(text)
          if !one.isControl { say("FOUND by \(one.name), seed \(current): \(text)") }
        }
        tally.seeds += 1
        current += 1
      } while goesOn(after: tally, isInTime: Date().timeIntervalSince(start) < share)
        && (one.isControl || tally.findings.count < 20)
      tally.seconds = Date().timeIntervalSince(start)
      if one.isControl {
        tally.seen = tally.findings.count
        tally.findings = []
        if tally.seen == 0, seedCount != 1 {
          tally.findings = ["the control saw nothing in \(tally.seeds) seeds"]
        }
      }
      say(
        "\(index + 1)/\(cases.count) \(one.name): \(tally.seeds) seeds, "
          + "\(tally.findings.count) findings")
      tallies.append(tally)
    }
    return tallies
  }

  private func goesOn(after tally: Tally, isInTime: Bool) -> Bool {
    seedCount.map { tally.seeds < $0 } ?? isInTime
  }

  /// Leaves word of what is about to run, for the script to print should this process crash.
  private func note(_ command: String) {
    let path = NSTemporaryDirectory() + "/current-seed"
    try? (command + "\n").write(toFile: path, atomically: false, encoding: .utf8)
  }

  private func say(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
