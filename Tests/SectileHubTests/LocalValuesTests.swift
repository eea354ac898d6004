import SectileCore
import Testing

@testable import SectileHub

struct LocalValuesTests {
  private static let table = SyncedTable(
    name: "invoice",
    columns: [
      .init("id", .integer), .init("total", .integer, isNullable: true, scale: 2),
      .init("rate", .double, isNullable: true), .init("digits", .numeric, isNullable: true),
    ], key: ["id"])

  /// What the hub says of a row has `numeric` as text, whatever the replica makes of it.
  @Test func rowOfARefusalIsAsTheReplicaHasIt() {
    let row: [String: StoredValue] = [
      "id": 7, "total": "-0.05", "rate": "0.25", "digits": "1.50", "other": "2",
    ]
    let refused = MutationRejection(.conflict, message: "", change: 1, current: row)
    let changes = [
      RowMutation.insert(table: "nothing", values: [:]),
      RowMutation.delete(table: "invoice", key: [7], revision: 1),
    ]
    let known = ["invoice": Self.table]
    #expect(
      refused.localized(for: changes, of: known).current == [
        "id": 7, "total": -5, "rate": .real(0.25), "digits": "1.50", "other": "2",
      ])
    // One of a change that nobody knows stays as it is.
    for place in [nil, 0, 2, -1] as [Int?] {
      var other = refused
      other.change = place
      #expect(other.localized(for: changes, of: known) == other)
    }
  }

  @Test func whatIsNoNumberOfTheReplicasStays() {
    let row: [String: StoredValue] = ["total": "0.005", "rate": "NaN"]
    #expect(Self.table.localValues(row) == row)
    #expect(Self.table.localValues(["rate": .null]) == ["rate": .null])
  }
}
