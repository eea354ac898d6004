import SectileCore

/// What the lists of these tests consist of.
struct Song: Identifiable, Hashable, Sendable {
  let id: Int
  var grade = 0
  var kind = 0

  /// The section a song belongs to, in sources with sections.
  @Sendable static func section(_ song: Song) -> SourceSection {
    SourceSection(identity: .integer(Int64(song.kind)), title: "kind \(song.kind)")
  }
}
