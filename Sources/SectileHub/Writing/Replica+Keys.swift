internal import SectileCore
public import SectileStore

extension Replica {
  /// How many keys of a table can be kept at most.
  public static let keyReserveLimit = 65_536

  /// Returns a key for a new row, as the hub makes it: of a sequence, an identity, or what else the
  /// hub has for the column.
  ///
  /// The key is known before the row is written, and is the row's whatever becomes of the
  /// connection. So a row can be named in the same mutation by others, and a write of which the
  /// outcome is unknown can be called again: it is a conflict where the row is there.
  ///
  /// ```swift
  /// let id = try await replica.newKey(of: "parcel", as: Int64.self)
  /// try await replica.write { changes in
  ///   try changes.insert(into: "parcel", values: ["id": id, "depot": 7])
  ///   try changes.insert(into: "parcel_note", values: ["parcel": id, "text": "fragile"])
  /// }
  /// ```
  ///
  /// It is the first of those that ``reserveKeys(of:count:)`` has the file keep, also where the
  /// hub cannot be reached. Where none is left, the hub is asked for one, which takes a round trip
  /// or two. Nobody else gets the key; one that is not used leaves a gap.
  ///
  /// - Parameters:
  ///   - table: The table; one column of its key has values of the hub's.
  ///   - type: What the column holds: an integer, or a `String` for a UUID.
  /// - Returns: The value for this column.
  /// - Throws: ``HubError``: `noSuchTable` for a table that the replica does not have;
  ///   `invalidSubscription` where the hub makes no keys of the table, or keys of another type;
  ///   `notPermitted`, with the SQL for somebody who may; `unavailable` where the hub did not
  ///   answer within ``ReplicaConfiguration/writeTimeout``; `StoreError`.
  public func newKey<Key: StorableValue>(
    of table: String, as type: Key.Type = Key.self
  ) async throws -> Key {
    let taken = try await store.write { transaction -> StoredValue? in
      try Self.checkTable(table, in: transaction)
      return try KeyReserve.take(of: table, in: transaction)
    }
    let value: StoredValue?
    if let taken {
      value = taken
    } else {
      value = try await sink.reserveKeys(of: table, count: 1, within: configuration.writeTimeout)
        .values.first
    }
    guard let key = value.flatMap({ Key.decoded($0, in: .standard) }) else {
      throw HubError(
        .invalidSubscription, message: "The hub's keys of \(table) are not of the type \(Key.self)",
        hint: "Ask for the type that the column has: an integer, or String for all others.")
    }
    return key
  }

  /// Has the file keep keys of the hub's for new rows, so that these can be made without the hub.
  ///
  /// From then on ``enqueue(_:)`` takes a key for each new row that has none, and
  /// ``newKey(of:as:)`` asks the hub no more. The keys outlive the process, and belong to this file
  /// alone; whichever process follows the hub has the hub make more when fewer than half are left.
  /// So one call is enough for a file; another changes the number, and fills up to it.
  ///
  /// ```swift
  /// try await replica.reserveKeys(of: "parcel", count: 500)  // for a day without the hub
  /// try await replica.enqueue { try $0.insert(into: "parcel", values: ["depot": 7]) }
  /// ```
  ///
  /// A comparison for which the hub may have lost commits, or the file was put back, gives them up:
  /// others take their place.
  ///
  /// - Parameters:
  ///   - table: The table; one column of its key has values of the hub's.
  ///   - count: How many are kept; with 0 those that are there are given up.
  /// - Throws: ``HubError``, as ``newKey(of:as:)``; what the file keeps by then stays.
  ///   `StoreError`.
  /// - Precondition: `count` is in `0...keyReserveLimit`.
  public func reserveKeys(of table: String, count: Int) async throws {
    precondition(
      (0...Self.keyReserveLimit).contains(count),
      "\(count) keys are outside 0...\(Self.keyReserveLimit)")
    let present = try await store.write { transaction -> Int in
      try Self.checkTable(table, in: transaction)
      guard count > 0 else {
        try KeyReserve.forget(table, in: transaction)
        return 0
      }
      let present = try KeyReserve.count(of: table, in: transaction)
      // Who wants more says so with the keys: the process that follows would ask for them as well.
      if present >= count { try KeyReserve.setWanted(count, of: table, in: transaction) }
      return present
    }
    guard present < count else { return }
    let made = try await sink.reserveKeys(
      of: table, count: count - present, within: configuration.writeTimeout)
    try await store.write { transaction in
      try KeyReserve.add(
        made.values, of: table, column: made.column, wanted: count, in: transaction)
    }
  }

  private static func checkTable(
    _ name: String, in transaction: StoreReadTransaction
  ) throws {
    let names = try ReplicaTables.syncedTables(in: transaction).map(\.name)
    guard !names.contains(name) else { return }
    throw HubError(
      .noSuchTable, message: "The replica has no table \(name) of the hub",
      hint: "It has \(names.joined(separator: ", ")).")
  }
}
