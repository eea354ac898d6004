import Foundation

/// What a process takes.
struct ProcessFigures {
  /// Its resident memory in KiB.
  let memory: Int
  /// Its open file descriptors.
  let descriptors: Int

  /// Reads what a process takes now; nil where there is none, or it is not ours to look at.
  init?(of process: Int32) {
    guard
      let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
      let memory = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first,
      let kibibytes = Int(memory),
      let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
    else { return nil }
    self.memory = kibibytes
    descriptors = files.count
  }

  var text: String { "\(memory / 1_024) MiB, \(descriptors) descriptors" }
}
