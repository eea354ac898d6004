public import Sectile

/// A job, in a table of Sectile's migrations.
public struct Job: Entity, Hashable, Codable {
  /// What the table is.
  public static let schema = EntitySchema<Job>(
    "job", primaryKey: "id", attributes: .init("id", \.id), .init("title", \.title))
  /// What creates the table.
  public static let migrations = Migrations.inline([
    "V0001_create_job.sql": "CREATE TABLE job (id INTEGER PRIMARY KEY, title TEXT NOT NULL)"
  ])

  /// The job's number.
  public var id: Int64
  /// What is to be done.
  public var title: String

  /// Reads a job.
  public init(row: inout RowReader) throws {
    id = try row.next()
    title = try row.next()
  }

  /// Writes the job.
  public func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(title)
  }
}
