import Foundation
import SectileCore
import SectileStore
import Testing

/// A row of a table that Core Data made.
private struct Note: Entity, Equatable {
  var id: Int64
  var created: Date?

  static let schema = EntitySchema<Note>(
    "ZNOTE", primaryKey: "Z_PK",
    attributes: .init("Z_PK", \.id), .init("ZCREATED", \.created, as: .referenceSecondsReal))

  init(id: Int64, created: Date?) { (self.id, self.created) = (id, created) }

  init(row: inout RowReader) throws {
    id = try row.next()
    created = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(created)
  }
}

@Suite(.timeLimit(.minutes(60))) struct CoreDataDateTests {
  private static let table = "CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, ZCREATED TIMESTAMP)"

  @Test func secondsSince2001AreADate() throws {
    try withStore(.memory) { store in
      try store.write { transaction in
        try transaction.execute(Self.table)
        try transaction.execute(
          "INSERT INTO ZNOTE VALUES (1, 0), (2, 725846400.25), (3, NULL), (4, -978307200)")
      }
      let notes = try store.read { try $0.fetchAll(FetchRequest<Note>().sort(by: \.id)) }
      #expect(
        notes.map(\.created) == [
          Date(timeIntervalSinceReferenceDate: 0),
          Date(timeIntervalSinceReferenceDate: 725_846_400.25), nil,
          Date(timeIntervalSince1970: 0),
        ])
      let new = Note(id: 5, created: Date(timeIntervalSinceReferenceDate: 86_400.5))
      try store.write { try $0.insert(new) }
      let stored = try store.read { try $0.query("SELECT ZCREATED FROM ZNOTE WHERE Z_PK = 5") }
      #expect(stored.first?["ZCREATED"] == .real(86_400.5))
      let later = FetchRequest<Note>().filter {
        $0.created > Date(timeIntervalSinceReferenceDate: 0)
      }
      #expect(try store.read { try $0.fetchAll(later.sort(by: \.id)).map(\.id) } == [2, 5])
    }
  }
}
