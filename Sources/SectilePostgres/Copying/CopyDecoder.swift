#if Postgres
  internal import SectileCore
  internal import SectileHub

  /// Reads rows from the bytes of a binary copy, which may be cut anywhere.
  struct CopyDecoder {
    private static let signature: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]

    private let types: [PostgresType]
    /// Which columns are the key.
    private let key: [Int]
    private var buffer: [UInt8] = []
    private var hasHead = false
    /// Whether the copy said that it has no more rows.
    private(set) var isComplete = false

    /// The columns in which a value was replaced by NULL because replicas cannot have it, and why.
    private(set) var withheld: [Int: String] = [:]

    /// Creates a decoder of rows with columns of some types, of which some are the key.
    init(types: [PostgresType], key: [Int]) { (self.types, self.key) = (types, key) }

    /// Takes bytes, and returns the rows that are complete with them.
    ///
    /// - Throws: `HubError` `malformedMessage`, `unsupportedValue`.
    mutating func take(_ bytes: [UInt8]) throws(HubError) -> [[StoredValue]] {
      if buffer.isEmpty { buffer = bytes } else { buffer += bytes }
      var (rows, used) = ([[StoredValue]](), 0)
      if !hasHead {
        guard let end = try head() else { return [] }
        (hasHead, used) = (true, end)
      }
      while let end = try row(at: used, into: &rows) { used = end }
      buffer.removeFirst(used)
      return rows
    }

    /// Returns where the head of the copy ends; nil where it is not all there.
    private func head() throws(HubError) -> Int? {
      let begin = Self.signature.count
      guard buffer.prefix(begin).elementsEqual(Self.signature.prefix(buffer.count)) else {
        throw ByteReader.malformed("a copy does not begin as one")
      }
      guard buffer.count >= begin + 8 else { return nil }
      var reader = ByteReader(buffer, at: begin)
      guard try reader.uint32() == 0 else { throw ByteReader.malformed("a copy has unknown flags") }
      let extra = Int(try reader.int32())
      guard extra >= 0 else { throw ByteReader.malformed("the head of a copy has no length") }
      return reader.remainingCount >= extra ? begin + 8 + extra : nil
    }

    /// Reads a row; nil where it is not all there, or there are no more.
    private mutating func row(
      at start: Int, into rows: inout [[StoredValue]]
    ) throws(HubError) -> Int? {
      var reader = ByteReader(buffer, at: start)
      guard reader.remainingCount > 0, !isComplete || reader.remainingCount == 0 else {
        if isComplete, reader.remainingCount > 0 {
          throw ByteReader.malformed("a copy goes on after its end")
        }
        return nil
      }
      guard reader.remainingCount >= 2 else { return nil }
      let count = Int(try reader.int16())
      if count == -1 {
        isComplete = true
        return start + 2
      }
      guard count == types.count else {
        throw ByteReader.malformed("a row has \(count) values for \(types.count) columns")
      }
      var row: [StoredValue] = []
      row.reserveCapacity(count)
      for (column, type) in types.enumerated() {
        guard reader.remainingCount >= 4 else { return nil }
        let length = Int(try reader.int32())
        guard length >= -1 else { throw ByteReader.malformed("a value has no length") }
        guard reader.remainingCount >= length else { return nil }
        row.append(length == -1 ? .null : try value(reader.bytes(length), type, in: column))
      }
      rows.append(row)
      return buffer.count - reader.remainingCount
    }

    private mutating func value(
      _ bytes: ArraySlice<UInt8>, _ type: PostgresType, in column: Int
    ) throws(HubError) -> StoredValue {
      do {
        return try PostgresValue.decode(binary: bytes, as: type)
      } catch {
        guard error.code == .unsupportedValue, !key.contains(column) else { throw error }
        withheld[column] = error.message
        return .null
      }
    }
  }
#endif
