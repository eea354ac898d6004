import SectileHub
import Testing

@Suite struct SyncedTableFingerprintTests {
  private static let parcel = SyncedTable(
    name: "parcel", columns: [.init("id", .integer), .init("title", .text, isNullable: true)],
    key: ["id"])
  private static let depot = SyncedTable(
    name: "depot", columns: [.init("id", .integer)], key: ["id"])

  @Test func sameTablesHaveTheSame() {
    // Written down, since it must be the same in every process and release.
    #expect(SyncedTable.fingerprint(of: [Self.parcel, Self.depot]) == "eba6183fb2b01257")
    #expect(
      SyncedTable.fingerprint(of: [Self.parcel, Self.depot])
        == SyncedTable.fingerprint(of: [Self.depot, Self.parcel]))
  }

  @Test func whateverDiffersMakesAnother() {
    var others = [Self.parcel]
    func add(_ change: (inout SyncedTable) -> Void) {
      var table = Self.parcel
      change(&table)
      others.append(table)
    }
    add { $0.name = "parce" }
    add { $0.columns.swapAt(0, 1) }
    add { $0.columns[1].name = "titel" }
    add { $0.columns[1].type = .json }
    add { $0.columns[1].isNullable = false }
    add { $0.columns[1].scale = 0 }
    add { $0.columns[1].scale = 2 }
    add { $0.key = ["title"] }
    add { $0.key = ["id", "title"] }
    add { $0.condition = "" }
    add { $0.condition = "id = 1" }
    add { $0.columns.removeLast() }
    #expect(Set(others.map { SyncedTable.fingerprint(of: [$0]) }).count == others.count)
    #expect(
      SyncedTable.fingerprint(of: [Self.parcel])
        != SyncedTable.fingerprint(of: [Self.parcel, Self.depot]))
  }
}
