import SectileCore
import Testing

@testable import SectileStore

/// Functions of text that refuse what takes too long, beside SQLite's own.
@Suite struct TextWorkTests {
  private static let values = [
    "NULL", "''", "x''", "7", "-2.5", "'a'", "'aba'", "'aäa€b'", "'€'", "'äa'", "' a '",
    "x'61'", "x'c3a461c3a4'", "x'6100'", "CAST(x'610062' AS TEXT)", "CAST(x'c3' AS TEXT)",
    "CAST(x'80c3a4' AS TEXT)",
  ]
  private static let calls = ["instr", "trim", "ltrim", "rtrim", "replace"]

  private static func result(
    of expression: String, on connection: InspectionConnection
  ) throws -> [StoredValue] {
    var values: [StoredValue] = []
    try connection.run("SELECT typeof(r), hex(r) FROM (SELECT \(expression) AS r)") { values = $0 }
    return values
  }

  @Test(arguments: calls) func theySayWhatThoseOfSQLiteSay(_ name: String) throws {
    let (own, bounded) = (try InspectionConnection.inMemory(), try InspectionConnection.inMemory())
    bounded.boundTextWork()
    for text in Self.values {
      for part in Self.values {
        for other in name == "replace" ? Self.values : [""] {
          let rest = name == "replace" ? ", \(other)" : ""
          let expression = "\(name)(\(text), \(part)\(rest))"
          let expected = try Self.result(of: expression, on: own)
          #expect(try Self.result(of: expression, on: bounded) == expected, "\(expression)")
        }
      }
    }
  }

  @Test(arguments: calls) func theyRefuseLongTexts(_ name: String) throws {
    let connection = try InspectionConnection.inMemory()
    connection.boundTextWork()
    let rest = name == "replace" ? ", ''" : ""
    func call(_ length: Int, _ partLength: Int) -> String {
      "\(name)(hex(zeroblob(\(length))), '1' || hex(zeroblob(\(partLength)))\(rest))"
    }
    let failure = try #require(throws: StoreError.self) {
      try Self.result(of: call(500_000, 5_000), on: connection)
    }
    #expect(failure.code == .tooBig)
    #expect(try Self.result(of: call(500_000, 3), on: connection).count == 2)
  }
}
