#if Server
  internal import Sectile
  internal import SectileInspecting

  /// The most frequent values of a column, with how many rows have each.
  struct FacetsAnswer {
    /// How many values are answered at most.
    static let countLimit = 200
    /// How many rows are looked at, and how many where that takes too long.
    private static let rowLimits = [1_000_000, 10_000]

    let source: FileSource

    /// Counts.
    ///
    /// - Parameters:
    ///   - request: The rows; its order and its limit mean nothing here.
    ///   - column: The column.
    ///   - count: How many values are answered.
    /// - Returns: The JSON.
    /// - Throws: ``Refusal``, and `RequestError` for what is not there; `StoreError`:
    ///   `interrupted` where even few rows take too long.
    func bytes(of request: TableRequest, column: String, count: Int) throws -> [UInt8] {
      try SQLCheck(source).check(request)
      let connection = try source.inspection()
      let shape = try request.shape(on: connection)
      guard let name = try shape.columns(named: [column]).first else {
        throw Refusal(.badRequest, "no column is named", hint: "Add column=NAME.")
      }
      let plan = request.plan(
        of: shape, try request.query?.makeSelect(), key: [], columns: shape.columns)
      var rows = plan.source
      if let filter = plan.filter { rows = rows + SQLFragment(" WHERE ") + filter }
      var last: StoreError?
      for limit in Self.rowLimits {
        do {
          let value = SQLName.quote(shape.name, name)
          let sql = Self.sql(of: value, in: rows, rowLimit: limit, count: count)
          return try read(sql, column: name, rowLimit: limit, on: connection)
        } catch let error as StoreError where error.code == .interrupted {
          last = error
        }
      }
      throw last ?? StoreError(.interrupted, message: "counting took too long", hint: nil)
    }

    /// The values, the most frequent first; how many rows have each; how many values, and how many
    /// rows there are in all.
    private static func sql(
      of value: String, in rows: SQLFragment, rowLimit: Int, count: Int
    ) -> SQLFragment {
      SQLFragment(
        """
        SELECT value, number, count(*) OVER (), sum(number) OVER () FROM (
          SELECT value, count(*) AS number FROM (SELECT \(value) AS value FROM
        """) + SQLFragment(" ") + rows
        + SQLFragment(
          """

          LIMIT \(rowLimit)) GROUP BY value)
          ORDER BY number DESC, value LIMIT \(count)
          """)
    }

    private func read(
      _ sql: SQLFragment, column: String, rowLimit: Int, on connection: InspectionConnection
    ) throws -> [UInt8] {
      let end = ContinuousClock.now + source.limits.countTime
      // Values are copied while they are grouped: a step of a large one takes long.
      connection.setProgress(every: 1_000) { .now < end }
      defer { connection.setProgress(nil) }
      let statement = try connection.prepare(sql.sql)
      try statement.start(sql.values)
      var values: [UInt8] = []
      var (distinct, total): (Int64, Int64) = (0, 0)
      while try statement.step() {
        let row = statement.exactRow
        guard row.count == 4 else { break }
        if !values.isEmpty { values.append(UInt8(ascii: ",")) }
        values += "{\"value\":".utf8
        CellJSON.append(CutValue(row[0]), to: &values)
        values += ",\"count\":\(Self.number(row[1]))}".utf8
        distinct = Self.number(row[2])
        total = Self.number(row[3])
      }
      var bytes = Array("{\"format\":2,\"column\":".utf8)
      bytes += JSONValue(column).bytes()
      bytes += ",\"rows\":\(total),\"isComplete\":\(total < Int64(rowLimit))".utf8
      bytes += ",\"distinct\":\(distinct),\"values\":[".utf8
      bytes += values
      bytes += "]}".utf8
      return bytes
    }

    private static func number(_ value: ExactValue) -> Int64 {
      if case .value(.integer(let number)) = value { number } else { 0 }
    }
  }
#endif
