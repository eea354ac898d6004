#if Postgres
  internal import SectileCore
  internal import SectileHub
  internal import SectileStore

  /// Compares the rows of one table: first the sums of its parts, then the rows of those that
  /// differ.
  struct TableVerification: Sendable {
    /// How many rows are looked at one by one at once, as far as a part does not have more.
    private static let rowLimit = 50_000

    /// A row of the hub: its digest, and the server's texts of its key.
    private struct HubRow: Sendable {
      var digest: RowDigest
      var key: [String?]
    }

    /// A row that looks otherwise.
    private struct Candidate: Sendable {
      var difference: PostgresHub.Verification.Row.Difference
      var keyDigest: RowDigest
      var key: [StoredValue]
    }

    let table: VerifiedTable
    let store: Store
    let reader: PostgresConnection
    let changes: HubChanges
    let limit: Int

    func run() async throws -> PostgresHub.Verification.Table {
      let hub = try await hubSums()
      let replica = try await replicaSums()
      var found = PostgresHub.Verification.Table(name: table.name)
      found.hubRowCount = hub.values.reduce(0) { $0 + $1.count }
      found.replicaRowCount = replica.values.reduce(0) { $0 + $1.count }
      var parts: [(number: Int, count: Int)] = []
      let numbers = Set(hub.keys).union(replica.keys).sorted()
      for number in numbers where hub[number] != replica[number] {
        parts.append((number, max(hub[number]?.count ?? 0, replica[number]?.count ?? 0)))
      }
      while !parts.isEmpty, found.differenceCount < limit {
        var (chosen, count) = ([Int](), 0)
        while let part = parts.first, chosen.isEmpty || count + part.count <= Self.rowLimit {
          chosen.append(part.number)
          count += part.count
          parts.removeFirst()
        }
        try await compare(chosen, into: &found)
      }
      found.uncomparedCount = parts.reduce(0) { $0 + $1.count }
      return found
    }

    // MARK: - Sums

    private func hubSums() async throws -> [Int: DigestSum] {
      let (sql, name) = (table.sumsSQL, table.name)
      return try await reader.run { session in
        try translating("the rows of \(name) cannot be added up") {
          var sums: [Int: DigestSum] = [:]
          for row in try session.execute(sql).rows {
            guard row.count == 4, let part = row[0].flatMap({ Int($0) }),
              let count = row[1].flatMap({ Int($0) }), let high = row[2].flatMap({ Int64($0) }),
              let low = row[3].flatMap({ Int64($0) })
            else { throw ByteReader.malformed("a sum of rows is none") }
            sums[part] = DigestSum(
              count: count, high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))
          }
          return sums
        }
      }
    }

    private func replicaSums() async throws -> [Int: DigestSum] {
      let table = table
      return try await store.read { transaction in
        var sums: [Int: DigestSum] = [:]
        let synced = table.table.synced
        try ReplicaRows.forEach(of: synced, in: transaction) { row in
          let part = table.digest(ofKey: synced.key(of: row)).part
          sums[part, default: DigestSum()].add(table.digest(of: row))
        }
        return sums
      }
    }

    // MARK: - Rows

    /// Compares the rows of parts one by one.
    private func compare(
      _ parts: [Int], into found: inout PostgresHub.Verification.Table
    ) async throws {
      let hub = try await hubRows(of: parts)
      let (candidates, waiting, position) = try await candidates(in: Set(parts), hub)
      guard !candidates.isEmpty else { return }
      let changed = try await changes.keys(of: table.name, upTo: position)
      for candidate in candidates {
        if changed.contains(candidate.keyDigest) || waiting.contains(candidate.keyDigest) {
          found.unsettledCount += 1
          continue
        }
        switch candidate.difference {
        case .missing: found.missingCount += 1
        case .surplus: found.surplusCount += 1
        case .changed: found.changedCount += 1
        }
        if found.rows.count < limit {
          found.rows.append(
            PostgresHub.Verification.Row(difference: candidate.difference, key: candidate.key))
        }
      }
    }

    private func hubRows(of parts: [Int]) async throws -> [RowDigest: HubRow] {
      let (sql, name) = (table.rowsSQL(of: parts), table.name)
      return try await reader.run { session in
        try translating("the rows of \(name) cannot be compared") {
          var rows: [RowDigest: HubRow] = [:]
          for row in try session.execute(sql).rows {
            guard row.count > 2, let key = row[0].flatMap({ RowDigest(hexadecimal: $0) }),
              let digest = row[1].flatMap({ RowDigest(hexadecimal: $0) })
            else { throw ByteReader.malformed("a digest of a row is none") }
            rows[key] = HubRow(digest: digest, key: Array(row.dropFirst(2)))
          }
          return rows
        }
      }
    }

    /// The rows of the file that look otherwise than the hub's, the keys of those for which changes
    /// of its own wait, and where the file stands.
    private func candidates(
      in parts: Set<Int>, _ hub: [RowDigest: HubRow]
    ) async throws -> ([Candidate], Set<RowDigest>, HubPosition) {
      let table = table
      return try await store.read { transaction in
        guard let state = try ReplicaFileState(in: transaction) else {
          throw HubError(.notReplica, message: "the file is no replica of a hub any more")
        }
        let synced = table.table.synced
        var (found, missing) = ([Candidate](), hub)
        try ReplicaRows.forEach(of: synced, in: transaction) { row in
          let key = synced.key(of: row)
          let keyDigest = table.digest(ofKey: key)
          guard parts.contains(keyDigest.part) else { return }
          let other = missing.removeValue(forKey: keyDigest)
          if other?.digest == table.digest(of: row) { return }
          found.append(
            Candidate(
              difference: other == nil ? .surplus : .changed, keyDigest: keyDigest, key: key))
        }
        for (keyDigest, row) in missing {
          let key = try zip(table.key, row.key).map { place, text -> StoredValue in
            guard let text else { return .null }
            return try PostgresValue.decode(
              text: ArraySlice(Array(text.utf8)), as: table.types[place])
          }
          found.append(Candidate(difference: .missing, keyDigest: keyDigest, key: key))
        }
        let waiting = try ReplicaRows.waitingKeys(of: synced, in: transaction)
        return (found, Set(waiting.map { table.digest(ofKey: $0) }), state.token.position)
      }
    }
  }
#endif
