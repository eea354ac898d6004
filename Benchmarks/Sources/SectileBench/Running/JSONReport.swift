internal import Foundation

/// A run as a file for programs: the goals, then everything they rest on.
struct JSONReport: Codable {
  let goals: [Verdict]
  let figures: [Figure]
  let machine: MachineNote
  let quick: Bool
  let seconds: Double

  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan")
    try encoder.encode(self).write(to: URL(fileURLWithPath: path))
  }
}
