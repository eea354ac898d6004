#if Postgres
  internal import SectileCore
  internal import SectileHub

  /// A table of which the server and a replica make the same digests.
  ///
  /// The bytes of a row are the texts of its values (``PostgresType/canonicalText(of:)``), each
  /// with `|;` behind it and its bars doubled; `|-` is NULL.
  struct VerifiedTable: Sendable {
    /// How many texts one call joins: the server takes a hundred.
    private static let joinCount = 50

    let table: CopiedTable
    let types: [PostgresType]
    let key: [Int]

    /// - Throws: `HubError` `invalidSubscription` where the server's table is not as the replica's.
    init(_ table: CopiedTable) throws(HubError) {
      try table.check()
      (self.table, types, key) = (table, table.types, table.synced.keyPositions)
    }

    var name: String { table.synced.name }

    // MARK: - At the replica

    /// The digest of a row.
    func digest(of row: [StoredValue]) -> RowDigest {
      RowDigest(of: Self.bytes(of: zip(types, row)))
    }

    /// The digest of a key.
    func digest(ofKey values: [StoredValue]) -> RowDigest {
      RowDigest(of: Self.bytes(of: zip(key.map { types[$0] }, values)))
    }

    private static func bytes(
      of values: some Sequence<(PostgresType, StoredValue)>
    ) -> [UInt8] {
      var bytes: [UInt8] = []
      for (type, value) in values {
        bytes.append(contentsOf: mark(type.canonicalText(of: value)))
      }
      return bytes
    }

    private static func mark(_ text: String?) -> [UInt8] {
      guard let text else { return Array("|-".utf8) }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(text.utf8.count + 2)
      for byte in text.utf8 {
        if byte == UInt8(ascii: "|") { bytes.append(byte) }
        bytes.append(byte)
      }
      return bytes + Array("|;".utf8)
    }

    // MARK: - At the server

    /// The statement that says for each part of the table how many rows it has, and their sum.
    var sumsSQL: String {
      """
      SELECT part, count(*), bit_xor(high), bit_xor(low) FROM (
        SELECT \(Self.partSQL) AS part, ('x' || left(row_digest, 16))::bit(64)::bigint AS high,
          ('x' || substr(row_digest, 17, 16))::bit(64)::bigint AS low
        FROM (\(digestSQL(and: []))) AS digest) AS mark
      GROUP BY part
      """
    }

    /// The statement that returns the rows of parts: the digest of the key, that of the row, and
    /// the server's texts of the key.
    func rowsSQL(of parts: [Int]) -> String {
      let keys = key.indices.map { "key_\($0)" }
      let texts = zip(key, keys).map { place, name in
        "pg_catalog.concat(\(column(place))) AS \(name)"
      }
      return """
        SELECT left(key_digest, 32), left(row_digest, 32), \(keys.joined(separator: ", "))
        FROM (\(digestSQL(and: texts))) AS digest
        WHERE \(Self.partSQL) IN (\(parts.map { "\($0)" }.joined(separator: ", ")))
        """
    }

    private static let partSQL =
      "(('x' || left(key_digest, 8))::bit(32)::bigint >> \(32 - RowDigest.partBitCount))"

    /// What makes the digests, once for each row: `OFFSET 0` has them not made again where they are
    /// named.
    private func digestSQL(and others: [String]) -> String {
      let digests = [
        "\(digestSQL(of: key)) AS key_digest",
        "\(digestSQL(of: Array(types.indices))) AS row_digest",
      ]
      let condition = table.synced.condition.map { " WHERE (\($0)\n)" } ?? ""
      return "SELECT \((digests + others).joined(separator: ", ")) "
        + "FROM \(table.table.source)\(condition) OFFSET 0"
    }

    private func digestSQL(of places: [Int]) -> String {
      "encode(sha256(convert_to(\(textSQL(of: places)), 'UTF8')), 'hex')"
    }

    private func textSQL(of places: [Int]) -> String {
      // By bytes: the server replaces nothing in texts whose order takes different ones as equal.
      let marks = places.map { place in
        let text = "(\(types[place].canonicalSQL(column(place)))) COLLATE pg_catalog.\"C\""
        return "coalesce(replace(\(text), '|', '||') || '|;', '|-')"
      }
      let groups = stride(from: 0, to: marks.count, by: Self.joinCount).map { start in
        "concat(\(marks[start..<min(start + Self.joinCount, marks.count)].joined(separator: ", ")))"
      }
      return groups.count == 1 ? groups[0] : "concat(\(groups.joined(separator: ", ")))"
    }

    private func column(_ place: Int) -> String {
      PostgresName.quote(table.synced.columns[place].name)
    }
  }
#endif
