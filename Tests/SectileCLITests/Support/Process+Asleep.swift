import Foundation
import SectileTestHelpers

extension Process {
  /// What each thread does: `S` where it waits for something, `R` where it runs or would like to.
  private var threadStates: [Character] {
    let tasks = "/proc/\(processIdentifier)/task"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return names.compactMap { name in
      // The state stands behind the name in parentheses.
      let line = try? String(contentsOfFile: "\(tasks)/\(name)/stat", encoding: .utf8)
      return line?.split(separator: ")").last?.first { $0 != " " }
    }
  }

  /// Waits until all threads wait for something, look after look: the process has done what it can,
  /// and goes on when others do something.
  ///
  /// - Returns: Whether that came to be.
  func fallsAsleep() -> Bool {
    var count = 0
    return waitedUntil {
      let states = threadStates
      count = !states.isEmpty && states.allSatisfy { $0 == "S" } ? count + 1 : 0
      return count == 20
    }
  }
}
