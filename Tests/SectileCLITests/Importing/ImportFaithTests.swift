import Foundation
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileCLI

/// Whatever the columns are made of, importing into a new table changes no value.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct ImportFaithTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("data.sqlite")
  }

  private func objects(_ text: String) throws -> [[String: Any]] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
  }

  @Test(arguments: [1, 2, 3, 4])
  func separatedValuesKeepTheirTextOrTheirNumber(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let pool = [
      "0", "1", "-1", "42", "9007199254740993", "-9223372036854775808", "9223372036854775808",
      "007",
      "+1", "-0", "1e5", "1E5", "1.5e3", "1e+20", "0.1", "1.50", "-0.0", "1.", ".5", "1e400",
      "0.1000000000000000055511151231257827", "123456789.123456789", "inf", "nan", "true", "0x1F",
      "x'00'", "x'0'", "x''", "1_000", "1 ", " 1", "２", "1e-400", "12345678901234567.5",
    ]
    // Each column has two or three kinds of values, so that many come out as numbers.
    let columns = (0..<60).map { _ in
      (0..<Int.random(in: 1...3, using: &random)).map { _ in
        pool.randomElement(using: &random) ?? ""
      }
    }
    let rows = (0..<6).map { _ in columns.map { $0.randomElement(using: &random) ?? "" } }
    let header = columns.indices.map { "c\($0)" }.joined(separator: ",")
    let text = ([header] + rows.map { $0.joined(separator: ",") }).joined(separator: "\n")
    let run = try CommandRun(["import", path, "--table", "t", "--format", "csv"], input: text)
    #expect(run.code == 0, "\(run.errors)")
    let results = columns.indices.map { "typeof(c\($0)) AS t\($0), c\($0)" }
    let found = try objects(
      CommandRun([
        "export", path, "--query", "SELECT \(results.joined(separator: ", ")) FROM t",
        "--format", "json",
      ]).output)
    #expect(found.count == rows.count)
    for (object, row) in zip(found, rows) {
      for (column, text) in row.enumerated() {
        let value = object["c\(column)"]
        switch object["t\(column)"] as? String {
        case "integer":
          let tagged = (value as? [String: String])?["$integer"]
          #expect(tagged ?? (value as? Int64).map(String.init) == text, "seed \(seed)")
        case "real": #expect((value as? Double) == Double(text), "seed \(seed): \(text)")
        case "blob":
          let digits = (value as? [String: String])?["$blob"]
          #expect(digits.map { "x'\($0)'" } == text, "seed \(seed)")
        default: #expect((value as? String) == text, "seed \(seed)")
        }
      }
    }
  }

  @Test func largeIntegersAreTaggedAndPlainOnesAreRead() throws {
    let plain = """
      {"id":1,"n":9007199254740993}
      {"id":2,"n":-9223372036854775808}
      {"id":3,"n":9007199254740991}
      """
    let run = try CommandRun(["import", path, "--table", "t", "--format", "ndjson"], input: plain)
    #expect(run.code == 0, "\(run.errors)")
    let back = try CommandRun(["export", path, "--table", "t", "--format", "ndjson"]).output
    #expect(
      back == """
        {"id":1,"n":{"$integer":"9007199254740993"}}
        {"id":2,"n":{"$integer":"-9223372036854775808"}}
        {"id":3,"n":9007199254740991}

        """)
  }

  @Test(arguments: [1, 2, 3, 4])
  func jsonComesBackAsItWas(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let pool = [
      "0", "-7", #"{"$integer":"9007199254740993"}"#, #"{"$integer":"-9223372036854775808"}"#,
      "0.1", "1.0", "5e-324",
      "1.7976931348623157e+308",
      "2.225073858507201e-308", "\"\"", "\"007\"", "\"1.0\"", "\"x'00'\"", "null",
      "\"\\u001b[2J\"",
      "\"9e999\"", #"{"$real":"1.2345678901234568e+17"}"#, "\"NULL\"",
    ]
    let lines = (0..<40).map { _ in
      let members = (0..<8).map { column in
        // One of the first values, or any: columns of one type, and of several.
        let choice = column < 6 ? pool[column * 3..<column * 3 + 3] : pool[...]
        return "\"c\(column)\":\(choice.randomElement(using: &random) ?? "null")"
      }
      return "{\(members.joined(separator: ","))}"
    }
    let text = lines.joined(separator: "\n") + "\n"
    let run = try CommandRun(["import", path, "--table", "t", "--format", "ndjson"], input: text)
    #expect(run.code == 0, "\(run.errors)")
    let back = try CommandRun(["export", path, "--table", "t", "--format", "ndjson"]).output
    #expect(back == text, "seed \(seed)")
  }
}
