internal import Sectile

/// What a number of instructions depends on besides the sources.
struct Environment: Codable, Equatable, CustomStringConvertible {
  let architecture: String
  let swift: String
  let sqlite: String

  var description: String { "Swift \(swift), SQLite \(sqlite), \(architecture)" }

  /// Makes a description of where this process runs.
  ///
  /// - Parameter swift: The version of the compiler, which only the caller knows.
  /// - Throws: What opening a store throws.
  init(swift: String) throws {
    self.swift = swift
    #if arch(x86_64)
      architecture = "x86_64"
    #elseif arch(arm64)
      architecture = "arm64"
    #else
      architecture = "other"
    #endif
    let rows = try Store.inMemory().read { try $0.query("SELECT sqlite_version()") }
    guard case .text(let version) = rows.first?.values.first else {
      throw GuardError("SQLite does not tell its version")
    }
    sqlite = version
  }
}
