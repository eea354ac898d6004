import Sectile

/// A row as one release of the service has it.
protocol StormParcel: Entity, Codable where ID == Int64 {
  /// What leads to the table of this release.
  static var migrations: Migrations { get }
  /// What the service shows.
  static var list: FetchRequest<Self> { get }
  /// The name of what clients are told of a row: another one for each release.
  static var shapeName: String { get }

  init(_ input: StormInput, id: Int64)
}

/// What a client says of a parcel, whatever the release.
struct StormInput: Decodable {
  let status: String
  let recipient: String
  let weight: Int
}

/// The files of migrations: none of them is ever edited.
private enum StormTable {
  static let first = """
    CREATE TABLE parcel (
      id INTEGER PRIMARY KEY NOT NULL,
      status TEXT NOT NULL,
      recipient TEXT NOT NULL,
      weight INTEGER NOT NULL
    );
    """
  static let second = "ALTER TABLE parcel ADD COLUMN carrier TEXT NOT NULL DEFAULT 'post';"
}

/// A parcel of the first release.
struct Parcel: StormParcel {
  static let schema = EntitySchema<Parcel>(
    "parcel", primaryKey: "id",
    attributes: .init("id", \.id), .init("status", \.status), .init("recipient", \.recipient),
    .init("weight", \.weight))
  static let migrations = Migrations.inline(["V0001_create_parcel.sql": StormTable.first])
  static let list = FetchRequest<Parcel>().sectioned(by: \.status).sort(by: \.id)
  static let shapeName = "release 1"

  var id: Int64
  var status: String
  var recipient: String
  var weight: Int

  init(_ input: StormInput, id: Int64) {
    self.id = id
    status = input.status
    recipient = input.recipient
    weight = input.weight
  }

  init(row: inout RowReader) throws {
    id = try row.next()
    status = try row.next()
    recipient = try row.next()
    weight = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(status)
    try row.append(recipient)
    try row.append(weight)
  }
}

/// A parcel of the second release, which has a column more.
struct ParcelWithCarrier: StormParcel {
  static let schema = EntitySchema<ParcelWithCarrier>(
    "parcel", primaryKey: "id",
    attributes: .init("id", \.id), .init("status", \.status), .init("recipient", \.recipient),
    .init("weight", \.weight), .init("carrier", \.carrier))
  static let migrations = Migrations.inline([
    "V0001_create_parcel.sql": StormTable.first, "V0002_add_carrier.sql": StormTable.second,
  ])
  static let list = FetchRequest<ParcelWithCarrier>().sectioned(by: \.status).sort(by: \.id)
  static let shapeName = "release 2"

  var id: Int64
  var status: String
  var recipient: String
  var weight: Int
  var carrier: String

  init(_ input: StormInput, id: Int64) {
    self.id = id
    status = input.status
    recipient = input.recipient
    weight = input.weight
    carrier = "rail"
  }

  init(row: inout RowReader) throws {
    id = try row.next()
    status = try row.next()
    recipient = try row.next()
    weight = try row.next()
    carrier = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(status)
    try row.append(recipient)
    try row.append(weight)
    try row.append(carrier)
  }
}
