internal import Foundation
internal import Glibc

/// The time of day as a person reads it.
enum ClockText {
  /// Returns the local time, as in `09:41:00`.
  static func now() -> String {
    var seconds = time_t(Date().timeIntervalSince1970)
    var parts = tm()
    localtime_r(&seconds, &parts)
    func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return [parts.tm_hour, parts.tm_min, parts.tm_sec].map(digits).joined(separator: ":")
  }
}
