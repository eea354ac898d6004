#if NATS
  internal import SectileCore
  internal import SectileHub

  extension HubTransaction {
    /// The transaction as bytes, from which ``init(relayed:)`` makes it again, value by value.
    var relayed: [UInt8] {
      var writer = RelayWriter()
      writer.number(position.byteCount)
      writer.optional(committedAt) { $0.date($1) }
      var places: [String: UInt64] = [:]
      var names: [String] = []
      for change in changes where places[change.table] == nil {
        places[change.table] = UInt64(names.count)
        names.append(change.table)
      }
      writer.list(names) { $0.text($1) }
      writer.list(changes) { $0.change($1, at: places[$1.table] ?? 0) }
      writer.controlRecords(controlRecords)
      return writer.bytes
    }

    /// Reads a transaction.
    ///
    /// - Throws: `HubError` with the code `malformedMessage`.
    init(relayed bytes: [UInt8]) throws {
      var reader = RelayReader(bytes)
      let position = HubPosition(byteCount: try reader.number())
      let date = try reader.optional { try $0.date() }
      let names = try reader.list { try $0.text() }
      let changes = try reader.list { try $0.change(of: names) }
      let records = try reader.controlRecords()
      try reader.finish()
      self.init(
        position: position, committedAt: date, changes: changes, controlRecords: records)
    }
  }

  extension RelayWriter {
    fileprivate mutating func change(_ change: HubChange, at table: UInt64) {
      switch change {
      case .insert(_, let row):
        byte(0)
        number(table)
        self.row(row)
      case .update(_, let key, let row):
        byte(1)
        number(table)
        optional(key) { $0.row($1) }
        list(row) { $0.value($1) }
      case .delete(_, let key):
        byte(2)
        number(table)
        row(key)
      case .truncate:
        byte(3)
        number(table)
      }
    }

    mutating func controlRecords(_ records: HubControlRecords) {
      list(records.outcomes) { writer, receipt in
        writer.text(receipt.id.client)
        writer.integer(receipt.id.number)
        writer.flag(receipt.isApplied)
      }
      optional(records.heartbeat) { writer, heartbeat in
        writer.date(heartbeat.date)
        writer.text(heartbeat.mark)
      }
      optional(records.schemaVersions) { $0.range($1) }
      list(records.withheld) { writer, value in
        writer.text(value.table)
        writer.text(value.column)
        writer.text(value.reason)
      }
    }
  }

  extension RelayReader {
    fileprivate mutating func change(of names: [String]) throws -> HubChange {
      let kind = try byte()
      let place = try number()
      guard place < UInt64(names.count) else { throw Self.malformed("a table has no name") }
      let table = names[Int(place)]
      switch kind {
      case 0: return .insert(table: table, row: try row())
      case 1:
        let key = try optional { try $0.row() }
        return .update(table: table, key: key, row: try list { try $0.value() })
      case 2: return .delete(table: table, key: try row())
      case 3: return .truncate(table: table)
      default: throw Self.malformed("a change is of no kind")
      }
    }

    mutating func controlRecords() throws -> HubControlRecords {
      let outcomes = try list { reader in
        let id = MutationID(client: try reader.text(), number: try reader.integer())
        return MutationReceipt(id, isApplied: try reader.flag())
      }
      let heartbeat = try optional { reader in
        HubHeartbeat(date: try reader.date(), mark: try reader.text())
      }
      let versions = try optional { try $0.range() }
      let withheld = try list { reader in
        WithheldValue(
          table: try reader.text(), column: try reader.text(), reason: try reader.text())
      }
      return HubControlRecords(
        outcomes: outcomes, heartbeat: heartbeat, schemaVersions: versions, withheld: withheld)
    }
  }
#endif
