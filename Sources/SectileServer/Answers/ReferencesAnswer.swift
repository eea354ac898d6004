#if Server
  internal import Sectile
  internal import SectileInspecting

  /// How many rows refer to others: `{"count":7,"isMore":false}` for each key.
  struct ReferencesAnswer {
    /// Up to how many rows are counted.
    static let countLimit = 1_000

    let source: FileSource

    /// Counts the rows of a table that have a key in some columns.
    ///
    /// - Parameter lookup: Which rows.
    /// - Returns: The document; where counting took too long, and for the keys behind that, there
    ///   may be more than was counted.
    /// - Throws: ``Refusal`` and `RequestError` for what is not there; `StoreError`.
    func document(_ lookup: KeyLookup) throws -> JSONValue {
      try KeyLookup.read(source) { connection in
        let resolved = try lookup.resolved(on: connection)
        let statement = try connection.prepare(
          """
          SELECT 1 FROM \(SQLName.table(resolved.shape.name)) WHERE \(resolved.condition)
          LIMIT \(Self.countLimit + 1)
          """)
        var isLate = false
        let counts = try lookup.keys.map { key -> JSONValue in
          var count = 0
          if !isLate { (count, isLate) = try Self.count(key, by: statement) }
          return [
            "count": JSONValue(min(count, Self.countLimit)),
            "isMore": .bool(isLate || count > Self.countLimit),
          ]
        }
        return ["format": 2, "counts": .array(counts)]
      }
    }

    /// Counts rows, until it takes too long.
    private static func count(
      _ key: [StoredValue], by statement: InspectionStatement
    ) throws(StoreError) -> (count: Int, isLate: Bool) {
      var count = 0
      do {
        try statement.start(key)
        while try statement.step() { count += 1 }
      } catch {
        guard error.code == .interrupted else { throw error }
        return (count, true)
      }
      return (count, false)
    }
  }
#endif
