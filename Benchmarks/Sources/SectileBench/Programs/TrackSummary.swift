/// What the rows of `track` in a file come to, asked of SQLite's own shell: equal rows, equal text.
struct TrackSummary {
  private static let columns = [
    "count(*)", "sum(id)", "sum(length(title))", "sum(unicode(title) * id)",
    "sum(length(artist))", "sum(rating * id)", "round(total(duration), 2)",
    "sum(added_at)", "group_concat(DISTINCT typeof(id) || typeof(title) || typeof(duration))",
  ]

  let shell: String
  let folder: WorkFolder

  /// Returns the summary of a file.
  func text(of file: String) throws -> String {
    let sql = "SELECT \(Self.columns.joined(separator: ", ")) FROM track"
    let program = Program([shell, file, sql], output: folder.newPath())
    try program.run()
    return try program.text()
  }
}
