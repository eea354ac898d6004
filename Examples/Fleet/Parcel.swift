#if Postgres && Server
  import Sectile

  /// A parcel, as the hub's table has it.
  struct Parcel: Entity, Hashable, Codable {
    static let schema = EntitySchema<Parcel>(
      "parcel", primaryKey: "id",
      attributes: .init("id", \.id), .init("depot", \.depot), .init("state", \.state),
      .init("weight", \.weight))
    /// What the page shows.
    static let list = FetchRequest<Parcel>().sectioned(by: \.state).sort(by: \.id)

    var id: Int64
    var depot: Int64
    var state: String
    /// In grams.
    var weight: Int64

    init(row: inout RowReader) throws {
      (id, depot, state, weight) = try (row.next(), row.next(), row.next(), row.next())
    }

    func write(to row: inout RowWriter) throws {
      try row.append(id)
      try row.append(depot)
      try row.append(state)
      try row.append(weight)
    }

    /// Its columns, for a mutation.
    var values: [String: any StorableValue] {
      ["id": id, "depot": depot, "state": state, "weight": weight]
    }
  }

  /// What shall be different of a parcel.
  struct ParcelChange: Decodable {
    /// Of which one, where the path does not say it.
    var id: Int64?
    var depot: Int64?
    var state: String?
    var weight: Int64?

    /// The columns that are named.
    var values: [String: any StorableValue] {
      let all: [String: (any StorableValue)?] = ["depot": depot, "state": state, "weight": weight]
      return all.compactMapValues { $0 }
    }
  }
#endif
