#if Postgres
  internal import Sectile
  internal import SectileHub
  internal import SectilePostgres

  /// A replica's file as it is found, opened to read it.
  struct ReplicaFile {
    let path: String
    let state: ReplicaFileState
    /// How many rows the tables have, in their order.
    let rowCounts: [(table: SyncedTable, count: Int)]

    /// Reads a file.
    ///
    /// - Throws: ``CommandFailure`` where it is no replica, or not there.
    init(_ path: String) throws {
      let store = try OpeningOptions(isImmutable: false).store(at: path)
      defer { try? store.close() }
      let found = try store.read { transaction -> (ReplicaFileState, [(SyncedTable, Int)])? in
        guard let state = try ReplicaFileState(in: transaction) else { return nil }
        let counts = try state.tables.map { table in
          let name = SQLName.quote(table.name)
          let rows = try transaction.query("SELECT count(*) FROM main.\(name)")
          guard case .integer(let count)? = rows.first?.values.first else { return (table, 0) }
          return (table, Int(count))
        }
        return (state, counts)
      }
      guard let (state, counts) = found else {
        throw CommandFailure(
          .failed, "\(path) is not a replica of a hub",
          hint: "Make it one with: sectile hub attach FILE --name NAME --table TABLE")
      }
      (self.path, self.state) = (path, state)
      rowCounts = counts.map { (table: $0.0, count: $0.1) }
    }

    /// The replica's name at the hub.
    ///
    /// - Parameter wanted: The name that an argument says; nil for none.
    /// - Returns: The name.
    /// - Throws: ``CommandFailure`` where the file is another replica than the one that is named.
    func name(_ wanted: String?) throws -> String {
      let own = PostgresHub.name(ofSlot: state.token.slot)
      if let wanted, let own, wanted != own {
        throw CommandFailure(
          .usage, "\(path) is the replica \(own), not \(wanted)", hint: "Leave --name out.")
      }
      guard let name = wanted ?? own else {
        throw CommandFailure(
          .usage, "\(path) does not say which replica it is", hint: "Name it with --name.")
      }
      return name
    }
  }
#endif
