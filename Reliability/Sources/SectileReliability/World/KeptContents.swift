internal import Foundation
internal import Sectile

/// What a client keeps to go on from in another process: the contents that it had, and a token that
/// does not lead past them.
struct KeptContents: Codable {
  var token: ChangeToken
  var contents: SectionedContents<Int64, Entry>

  /// Takes what results have; nil where they have no token.
  ///
  /// - Throws: What reading throws.
  init?(of results: SectionedResults<Entry>) throws {
    // First the token: contents may be ahead of it, never behind.
    guard let token = results.token else { return nil }
    self.token = token
    contents = try results.contents()
  }

  /// Where it lies beside a database.
  static func path(beside database: String) -> String { database + ".kept" }

  /// Reads what lies beside a database; nil where nothing does.
  ///
  /// - Throws: Where it is half, which must not be.
  init?(beside database: String) throws {
    guard FileManager.default.fileExists(atPath: Self.path(beside: database)) else { return nil }
    let data = try Data(contentsOf: URL(fileURLWithPath: Self.path(beside: database)))
    self = try JSONDecoder().decode(Self.self, from: data)
  }

  /// Writes it beside a database, whole or not at all.
  func save(beside database: String) throws {
    let url = URL(fileURLWithPath: Self.path(beside: database))
    try JSONEncoder().encode(self).write(to: url, options: .atomic)
  }

  /// Goes on from it, with results that were not loaded.
  ///
  /// - Returns: The reason where the token does not lead on; nil where the contents are those of
  ///   now.
  /// - Throws: What does not fit.
  mutating func resume(in results: SectionedResults<Entry>) throws -> ResetReason? {
    let token = token
    switch try Waiting.result(of: { try await results.load(since: token) }) {
    case .reset(let reason): return reason
    case .changes(let changes):
      try contents.apply(changes)
      return nil
    }
  }
}
