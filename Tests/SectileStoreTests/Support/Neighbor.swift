import Foundation
import GRDB

/// A record of another program, which GRDB itself writes and reads: each column in another form.
struct NeighborRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "visit"

  var id: UUID
  var guest: UUID
  var plain: Date
  var seconds: Date
  var real: Date
  var milliseconds: Date
  var iso: Date

  static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
    column == "guest" ? .lowercaseString : .deferredToUUID
  }

  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    switch column {
    case "seconds": .secondsSince1970
    case "real": .timeIntervalSince1970
    case "milliseconds": .millisecondsSince1970
    case "iso": .iso8601
    default: .deferredToDate
    }
  }

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    switch column {
    case "seconds": .timeIntervalSince1970
    case "real": .timeIntervalSince1970
    case "milliseconds": .millisecondsSince1970
    case "iso": .iso8601
    default: .deferredToDate
    }
  }

  static func createTable(in db: Database) throws {
    try db.create(table: databaseTableName) { table in
      table.primaryKey("id", .blob)
      table.column("guest", .text).notNull()
      table.column("plain", .datetime).notNull()
      table.column("seconds", .integer).notNull()
      table.column("real", .double).notNull()
      table.column("milliseconds", .integer).notNull()
      table.column("iso", .text).notNull()
    }
  }
}
