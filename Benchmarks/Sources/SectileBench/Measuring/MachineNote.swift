internal import CBaseline
internal import Foundation
internal import GRDBBaseline

/// What the figures were measured on.
struct MachineNote: Codable, Sendable {
  let processor: String
  let cores: Int
  let kernel: String
  let sqlite: String
  let swift: String
  let load: Double

  /// Looks at the machine; fails if C and GRDB do not run the same SQLite.
  init() throws {
    let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    processor =
      information.split(separator: "\n").first { $0.hasPrefix("model name") }?
      .split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"
    cores = ProcessInfo.processInfo.activeProcessorCount
    let release = (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)) ?? ""
    kernel = "Linux " + release.trimmingCharacters(in: .whitespacesAndNewlines)
    sqlite = String(cString: baseline_sqlite_version())
    swift = ProcessInfo.processInfo.environment["SECTILE_BENCH_SWIFT"] ?? Self.compiler
    let averages = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)) ?? ""
    load = averages.split(separator: " ").first.flatMap { Double($0) } ?? .nan
    let source = String(cString: baseline_sqlite_source())
    let other = try GRDBDatabase.sqliteSource()
    try verify(source == other, "C runs SQLite \(source), GRDB \(other)")
  }

  var text: String {
    """
    \(processor), \(cores) cores, \(kernel), load \(load)
    SQLite \(sqlite), the same library for all; \(swift)
    """
  }

  private static var compiler: String {
    #if compiler(>=6.4)
      "Swift 6.4 or later"
    #elseif compiler(>=6.3)
      "Swift 6.3"
    #elseif compiler(>=6.2)
      "Swift 6.2"
    #else
      "Swift 6.1"
    #endif
  }
}
