#if Postgres
  internal import SectileCore
  internal import SectileHub

  /// Makes whole transactions of the messages of a stream.
  ///
  /// It knows nothing of connections: bytes go in, and what a replica is told comes out.
  struct StreamAssembler: Sendable {
    /// A change of a transaction that comes in pieces, with the part that it belongs to.
    private struct Piece: Sendable {
      var part: UInt32
      var content: Content
    }

    private enum Content: Sendable {
      case change(HubChange)
      case withheld(WithheldValue)
      case notice(HubTables.Kind, [StoredValue])
    }

    private let sources: StreamSources
    private var readings: [UInt32: StreamSources.Reading] = [:]
    /// Up to where the replica has been told everything.
    private(set) var position: HubPosition
    /// What the transaction that is being told has so far; nil between transactions.
    private var open: (content: [Content], microsecond: Int64)?
    /// Transactions that come in pieces, and have not ended.
    private var pieces: [UInt32: [Piece]] = [:]
    /// Whose piece is being told.
    private var current: UInt32?

    init(sources: StreamSources, after position: HubPosition) {
      (self.sources, self.position) = (sources, position)
    }

    /// Takes a message of `pgoutput`.
    ///
    /// - Returns: What the replica is told by it: a transaction that ends with it.
    /// - Throws: `HubError`: `malformedMessage`, `schemaAhead`, `unsupportedValue`. Nothing may
    ///   follow.
    mutating func take(_ reader: ByteReader) throws(HubError) -> HubMessage? {
      let (message, part) = try PluginMessage.decode(reader, isInPiece: current != nil)
      switch message {
      case .begin(_, let microsecond):
        guard open == nil, current == nil else {
          throw ByteReader.malformed("a transaction begins in another")
        }
        open = ([], microsecond)
      case .commit(let end, let microsecond):
        guard let ended = open else { throw ByteReader.malformed("a commit ends nothing") }
        open = nil
        return try transaction(of: ended.content, end: end, microsecond: microsecond)
      case .streamStart, .streamStop, .streamCommit, .streamAbort:
        return try takePiece(message)
      case .relation(let relation): readings[relation.id] = try sources.reading(of: relation)
      case .insert, .update, .delete, .truncate:
        guard open != nil || current != nil else {
          throw ByteReader.malformed("a row belongs to no transaction")
        }
        for content in try contents(of: message) { add(content, part: part) }
      case .other: break
      }
      return nil
    }

    /// Takes word that nothing happened up to a position.
    ///
    /// - Returns: What the replica is told by it. Within a transaction that is nothing, and nothing
    ///   before what it knows.
    mutating func takeKeepAlive(_ end: HubPosition) -> HubMessage? {
      guard open == nil, current == nil, end > position else { return nil }
      position = end
      return .keepAlive(end)
    }

    private mutating func takePiece(_ message: PluginMessage) throws(HubError) -> HubMessage? {
      switch (message, current) {
      case (.streamStart(let transaction), nil) where open == nil:
        current = transaction
        if pieces[transaction] == nil { pieces[transaction] = [] }
      case (.streamStop, _?): current = nil
      case (.streamCommit(let transaction, let end, let microsecond), nil):
        let content = pieces.removeValue(forKey: transaction) ?? []
        return try self.transaction(
          of: content.map(\.content), end: end, microsecond: microsecond)
      case (.streamAbort(let transaction, let part), nil):
        if transaction == part {
          pieces[transaction] = nil
        } else {
          pieces[transaction]?.removeAll { $0.part == part }
        }
      default: throw ByteReader.malformed("pieces of transactions are out of order")
      }
      return nil
    }

    private mutating func add(_ content: Content, part: UInt32?) {
      if let current {
        pieces[current, default: []].append(Piece(part: part ?? current, content: content))
      } else {
        open?.content.append(content)
      }
    }

    private mutating func transaction(
      of contents: [Content], end: HubPosition, microsecond: Int64
    ) throws(HubError) -> HubMessage {
      guard end >= position else { throw ByteReader.malformed("commits are out of order") }
      position = end
      var transaction = HubTransaction(
        position: end, committedAt: PostgresTime.date(microsecond: microsecond))
      for content in contents {
        switch content {
        case .change(let change): transaction.changes.append(change)
        case .withheld(let value):
          if !transaction.controlRecords.withheld.contains(value) {
            transaction.controlRecords.withheld.append(value)
          }
        case .notice(let kind, let row):
          try HubTables.take(row, of: kind, into: &transaction.controlRecords)
        }
      }
      if transaction.changes.isEmpty, transaction.controlRecords.isEmpty { return .keepAlive(end) }
      return .transaction(transaction)
    }

    // MARK: Rows

    private func contents(of message: PluginMessage) throws(HubError) -> [Content] {
      switch message {
      case .insert(let id, let cells):
        guard let reading = readings[id] else { return [] }
        var withheld: [WithheldValue] = []
        let row = try whole(self.row(cells, reading, &withheld))
        switch reading.use {
        case .table(let table):
          return contents(of: withheld, before: .change(.insert(table: table.name, row: row)))
        case .hub(let kind): return [.notice(kind, row)]
        }
      case .update(let id, let old, let cells):
        guard let reading = readings[id] else { return [] }
        var withheld: [WithheldValue] = []
        let content = try update(cells, old, reading, &withheld)
        return contents(of: withheld, before: content)
      case .delete(let id, let old):
        guard let reading = readings[id], case .table(let table) = reading.use else { return [] }
        return [.change(.delete(table: table.name, key: try key(old, reading)))]
      case .truncate(let ids):
        return ids.compactMap { id in
          guard let reading = readings[id], case .table(let table) = reading.use else { return nil }
          return .change(.truncate(table: table.name))
        }
      default: return []
      }
    }

    private func contents(of withheld: [WithheldValue], before content: Content) -> [Content] {
      if withheld.isEmpty { return [content] }
      var contents: [Content] = []
      for value in withheld { contents.append(.withheld(value)) }
      contents.append(content)
      return contents
    }

    private func update(
      _ cells: [PluginCell], _ old: PluginOldRow?, _ reading: StreamSources.Reading,
      _ withheld: inout [WithheldValue]
    ) throws(HubError) -> Content {
      var row = try self.row(cells, reading, &withheld)
      var oldKey: [StoredValue]?
      if let old {
        let before = try formerRow(old, reading)
        // What is not told again may stand in the row as it was.
        for place in row.indices
        where row[place] == nil && (!old.hasKeyOnly || reading.key.contains(place)) {
          row[place] = before[place]
        }
        let key = try self.key(old, reading)
        if key != reading.key.map({ row[$0] }) { oldKey = key }
      }
      guard reading.key.allSatisfy({ row[$0] != nil }) else {
        throw ByteReader.malformed("a key is not told")
      }
      switch reading.use {
      case .table(let table):
        return .change(.update(table: table.name, key: oldKey, row: row))
      case .hub(let kind): return .notice(kind, try whole(row))
      }
    }

    /// Reads a row: nil for a value that is not told again.
    ///
    /// A value that replicas cannot have is NULL, and told, unless it is in the key.
    private func row(
      _ cells: [PluginCell], _ reading: StreamSources.Reading, _ withheld: inout [WithheldValue]
    ) throws(HubError) -> [StoredValue?] {
      var row: [StoredValue?] = []
      row.reserveCapacity(reading.columns.count)
      for column in reading.columns.indices {
        let (place, type) = reading.columns[column]
        guard cells.indices.contains(place) else {
          throw ByteReader.malformed("a row has fewer values than its table has columns")
        }
        switch cells[place] {
        case .null: row.append(.null)
        case .unchanged: row.append(nil)
        case .text(let bytes):
          row.append(try value(bytes, type, in: column, of: reading, &withheld))
        }
      }
      return row
    }

    /// Reads a row as it was: what was wrong with it is no matter any more.
    private func formerRow(
      _ old: PluginOldRow, _ reading: StreamSources.Reading
    ) throws(HubError) -> [StoredValue?] {
      var withheld: [WithheldValue] = []
      return try row(old.cells, reading, &withheld)
    }

    private func value(
      _ bytes: ArraySlice<UInt8>, _ type: PostgresType, in column: Int,
      of reading: StreamSources.Reading, _ withheld: inout [WithheldValue]
    ) throws(HubError) -> StoredValue {
      do {
        return try PostgresValue.decode(text: bytes, as: type)
      } catch {
        guard error.code == .unsupportedValue, case .table(let table) = reading.use else {
          throw error
        }
        guard !reading.key.contains(column) else { throw error.located(in: table.name) }
        withheld.append(
          WithheldValue(
            table: table.name, column: table.columns[column].name, reason: error.message))
        return .null
      }
    }

    private func whole(_ row: [StoredValue?]) throws(HubError) -> [StoredValue] {
      var values: [StoredValue] = []
      for value in row {
        guard let value else { throw ByteReader.malformed("a new row is not told as a whole") }
        values.append(value)
      }
      return values
    }

    private func key(
      _ old: PluginOldRow, _ reading: StreamSources.Reading
    ) throws(HubError) -> [StoredValue] {
      let row = try formerRow(old, reading)
      return try reading.key.map { place throws(HubError) in
        guard let value = row[place], value != .null else {
          throw ByteReader.malformed("a key is not told")
        }
        return value
      }
    }
  }
#endif
