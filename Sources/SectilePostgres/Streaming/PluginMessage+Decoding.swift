#if Postgres
  internal import SectileHub

  extension PluginMessage {
    /// Reads a message.
    ///
    /// - Parameters:
    ///   - reader: The bytes, which the message takes up to the end.
    ///   - isInPiece: Whether it stands between `streamStart` and `streamStop`, where each has the
    ///     number of the part of the transaction that it belongs to.
    /// - Returns: The message, and the number of its part.
    /// - Throws: `HubError` `malformedMessage`.
    static func decode(
      _ reader: ByteReader, isInPiece: Bool
    ) throws(HubError) -> (message: PluginMessage, part: UInt32?) {
      var reader = reader
      let kind = Unicode.Scalar(try reader.uint8())
      var part: UInt32?
      if isInPiece, "RYIUDTM".unicodeScalars.contains(kind) { part = try reader.uint32() }
      let message = try body(kind, &reader)
      try reader.finish()
      return (message, part)
    }

    private static func body(
      _ kind: Unicode.Scalar, _ reader: inout ByteReader
    ) throws(HubError) -> PluginMessage {
      switch kind {
      case "B":
        _ = try reader.uint64()
        let microsecond = try reader.int64()
        return .begin(transaction: try reader.uint32(), microsecond: microsecond)
      case "C":
        _ = try (reader.uint8(), reader.uint64())
        return .commit(end: try reader.position(), microsecond: try reader.int64())
      case "R": return .relation(try relation(&reader))
      case "I":
        let id = try reader.uint32()
        guard try reader.uint8() == 0x4E else { throw ByteReader.malformed("an insert has no row") }
        return .insert(relation: id, row: try row(&reader))
      case "U": return try update(&reader)
      case "D":
        let id = try reader.uint32()
        guard let old = try oldRow(try reader.uint8(), &reader) else {
          throw ByteReader.malformed("a delete has no row")
        }
        return .delete(relation: id, old: old)
      case "T":
        let count = try reader.uint32()
        _ = try reader.uint8()
        guard Int(count) * 4 == reader.remainingCount else {
          throw ByteReader.malformed("a truncate has another number of tables")
        }
        var ids: [UInt32] = []
        for _ in 0..<count { ids.append(try reader.uint32()) }
        return .truncate(relations: ids)
      default: return try rest(kind, &reader)
      }
    }

    private static func rest(
      _ kind: Unicode.Scalar, _ reader: inout ByteReader
    ) throws(HubError) -> PluginMessage {
      switch kind {
      case "S":
        let transaction = try reader.uint32()
        _ = try reader.uint8()
        return .streamStart(transaction: transaction)
      case "E": return .streamStop
      case "c":
        let transaction = try reader.uint32()
        _ = try (reader.uint8(), reader.uint64())
        return .streamCommit(
          transaction: transaction, end: try reader.position(), microsecond: try reader.int64())
      case "A":
        return .streamAbort(transaction: try reader.uint32(), part: try reader.uint32())
      case "O":
        _ = try (reader.uint64(), reader.string())
        return .other
      case "Y":
        _ = try (reader.uint32(), reader.string(), reader.string())
        return .other
      case "M":
        _ = try (reader.uint8(), reader.uint64(), reader.string())
        _ = try reader.bytes(Int(try reader.uint32()))
        return .other
      default: throw ByteReader.malformed("it is of the unknown kind \(kind.value)")
      }
    }

    private static func relation(_ reader: inout ByteReader) throws(HubError) -> PluginRelation {
      let (id, schema, name) = try (reader.uint32(), reader.string(), reader.string())
      _ = try reader.uint8()
      var columns: [PluginRelation.Column] = []
      for _ in 0..<(try reader.uint16()) {
        _ = try reader.uint8()
        let (name, type) = try (reader.string(), reader.uint32())
        _ = try reader.uint32()
        columns.append(PluginRelation.Column(name: name, type: type))
      }
      return PluginRelation(id: id, schema: schema, name: name, columns: columns)
    }

    private static func update(_ reader: inout ByteReader) throws(HubError) -> PluginMessage {
      let id = try reader.uint32()
      var mark = try reader.uint8()
      let old = try oldRow(mark, &reader)
      if old != nil { mark = try reader.uint8() }
      guard mark == 0x4E else { throw ByteReader.malformed("an update has no row") }
      return .update(relation: id, old: old, row: try row(&reader))
    }

    private static func oldRow(
      _ mark: UInt8, _ reader: inout ByteReader
    ) throws(HubError) -> PluginOldRow? {
      switch mark {
      case 0x4B: PluginOldRow(hasKeyOnly: true, cells: try row(&reader))
      case 0x4F: PluginOldRow(hasKeyOnly: false, cells: try row(&reader))
      default: nil
      }
    }

    private static func row(_ reader: inout ByteReader) throws(HubError) -> [PluginCell] {
      var cells: [PluginCell] = []
      for _ in 0..<(try reader.uint16()) {
        switch try reader.uint8() {
        case 0x6E: cells.append(.null)
        case 0x75: cells.append(.unchanged)
        case 0x74: cells.append(.text(try reader.bytes(Int(try reader.int32()))))
        default: throw ByteReader.malformed("a value is of an unknown kind")
        }
      }
      return cells
    }
  }
#endif
