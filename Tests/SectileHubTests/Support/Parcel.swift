import SectileCore
import SectileHub
import SectileStore

/// A row of the hub's table of parcels.
struct Parcel: Entity, Hashable {
  static let schema = EntitySchema<Parcel>(
    "parcel", primaryKey: "id",
    attributes: .init("id", \.id), .init("depot", \.depot), .init("state", \.state),
    .init("sectile_rev", \.revision))

  var id: Int64
  var depot: Int64
  var state: String?
  var revision: Int64

  init(id: Int64, depot: Int64 = 1, state: String? = nil, revision: Int64 = 1) {
    (self.id, self.depot, self.state, self.revision) = (id, depot, state, revision)
  }

  init(row: inout RowReader) throws {
    (id, depot, state, revision) = try (row.next(), row.next(), row.next(), row.next())
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(depot)
    try row.append(state)
    try row.append(revision)
  }

  /// The table at the hub.
  static let table = SyncedTable(
    name: "parcel",
    columns: [
      .init("id", .integer), .init("depot", .integer), .init("state", .text, isNullable: true),
      .init("sectile_rev", .integer),
    ],
    key: ["id"])

  /// All parcels, by depot.
  static let byDepot = FetchRequest<Parcel>().sectioned(by: \.depot).sort(by: \.id)

  /// A new parcel, as a change of the hub's.
  static func new(_ id: Int64, depot: Int64 = 1, state: String? = nil) -> RowMutation {
    .insert(
      table: "parcel",
      values: [
        "id": .integer(id), "depot": .integer(depot), "state": state.map(StoredValue.text) ?? .null,
      ])
  }

  /// New values for columns of a parcel.
  static func set(
    _ id: Int64, revision: Int64? = nil, _ values: [String: StoredValue]
  ) -> RowMutation {
    .update(table: "parcel", key: [.integer(id)], revision: revision, values: values)
  }

  static func gone(_ id: Int64) -> RowMutation {
    .delete(table: "parcel", key: [.integer(id)], revision: nil)
  }
}
