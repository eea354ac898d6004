internal import Foundation

/// The table at the end.
enum TallyTable {
  static func text(_ tallies: [Tally]) -> String {
    var lines = [
      "case              cycles  faults    cuts   kills   seeds  seconds  lost or wrong"
    ]
    for tally in tallies {
      let figures = [tally.cycles, tally.faults, tally.cuts, tally.kills, tally.seeds]
        .map { String(repeating: " ", count: max(0, 8 - "\($0)".count)) + "\($0)" }.joined()
      let seconds = String(format: "%9.1f", tally.seconds)
      let end =
        tally.findings.isEmpty
        ? tally.seen.map { "seen \($0) times, as it must be" } ?? "nothing"
        : "\(tally.findings.count) FINDINGS"
      lines.append(tally.name.padded(to: 16) + figures + seconds + "  " + end)
    }
    for tally in tallies where !tally.figures.isEmpty {
      let figures = tally.figures.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      lines.append("\(tally.name): \(figures.joined(separator: ", "))")
    }
    for tally in tallies {
      for finding in tally.findings { lines.append("\n\(tally.name): \(finding)") }
    }
    return lines.joined(separator: "\n")
  }
}
