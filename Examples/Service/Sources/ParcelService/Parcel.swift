internal import Foundation
public import Sectile

/// A parcel on its way.
public struct Parcel: Entity, Hashable, Codable {
  /// What the table is.
  public static let schema = EntitySchema<Parcel>(
    "parcel", primaryKey: "id",
    attributes: .init("id", \.id), .init("status", \.status), .init("recipient", \.recipient),
    .init("weight", \.weight), .init("updated", \.updated))
  /// What creates the table: a file more for each change of it, and none of them is ever edited.
  public static let migrations = Migrations.inline([
    "V0001_create_parcel.sql": """
    CREATE TABLE parcel (
      id INTEGER PRIMARY KEY NOT NULL,
      status TEXT NOT NULL,
      recipient TEXT NOT NULL,
      weight INTEGER NOT NULL CHECK (weight > 0),
      updated INTEGER NOT NULL
    );
    CREATE INDEX parcel_by_status ON parcel (status, id);
    """
  ])
  /// What the service shows: parcels by status, in the order of their numbers.
  public static let list = FetchRequest<Parcel>().sectioned(by: \.status).sort(by: \.id)

  /// The parcel's number.
  public var id: Int64
  /// Where it is, such as `waiting` or `travelling`.
  public var status: String
  /// Who gets it.
  public var recipient: String
  /// Its weight in grams.
  public var weight: Int
  /// When it was written, in microseconds since 1970.
  public var updated: Int64

  /// What ``updated`` is now.
  public static var now: Int64 { Int64(Date.now.timeIntervalSince1970 * 1_000_000) }

  /// Creates a parcel.
  public init(id: Int64, status: String, recipient: String, weight: Int, updated: Int64) {
    self.id = id
    self.status = status
    self.recipient = recipient
    self.weight = weight
    self.updated = updated
  }

  /// Reads a parcel.
  public init(row: inout RowReader) throws {
    id = try row.next()
    status = try row.next()
    recipient = try row.next()
    weight = try row.next()
    updated = try row.next()
  }

  /// Writes the parcel.
  public func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(status)
    try row.append(recipient)
    try row.append(weight)
    try row.append(updated)
  }
}
