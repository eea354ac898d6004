internal import Foundation

/// The folder of the person's own settings, which no database and no folder of one can name.
enum SettingsFolder {
  /// Returns the path of something in it; nil where the environment names no folder.
  ///
  /// - Parameters:
  ///   - name: What is looked for.
  ///   - environment: Where `XDG_CONFIG_HOME` or `HOME` names an absolute path.
  /// - Returns: The path; nil where neither is named.
  static func path(
    of name: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String? {
    func folder(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let settings = folder("XDG_CONFIG_HOME") ?? folder("HOME").map { $0 + "/.config" }
    return settings.map { "\($0)/sectile/\(name)" }
  }
}
