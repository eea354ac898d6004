import Sectile
import Testing

@testable import SectileCLI

@Suite struct CSVSplitterTests {
  /// The rows of a text, cut into pieces of a size.
  private func rows(_ text: String, pieces: Int, hasQuotes: Bool = true) throws -> [String] {
    var rows: [String] = []
    let splitter = CSVSplitter(delimiter: UInt8(ascii: ","), hasQuotes: hasQuotes)
    func take(_ row: CSVSplitter.Row) {
      switch row {
      case .fields(let row):
        let fields = row.values.enumerated().map { position, value in
          row[position].isQuoted ? "q\(value)" : "\(value)"
        }
        rows.append("\(row.line): " + fields.joined(separator: " "))
      case .bad(let reason, let line): rows.append("\(line)! \(reason)")
      }
    }
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      try bytes[start..<min(start + pieces, bytes.count)].withUnsafeBytes {
        try splitter.append($0, take)
      }
    }
    try splitter.finish(take)
    return rows
  }

  @Test(arguments: [1, 2, 3, 7, 1000])
  func linesAreCountedThroughEverything(pieces: Int) throws {
    let text = "a, b ,\"\"\r\n\"x\ny\",,2\r\r\n\nq\"q,1\nlast,\"\"\"\"\n\"a\nb\"c,1\nend"
    #expect(
      try rows(text, pieces: pieces) == [
        "1: 'a' ' b ' q''", "2: q'x\ny' NULL '2'", "4: ", "5: ",
        "6: 'q\"q' '1'", "7: 'last' q'\"'",
        "8! text follows a closing quote", "10: 'end'",
      ])
  }

  @Test(arguments: [1, 4, 100])
  func linesMayEndWithReturnsAlone(pieces: Int) throws {
    let rows = try rows("a,b\rq\"q,1\r\"x\"y\r\nc,d\re", pieces: pieces)
    #expect(
      rows == [
        "1: 'a' 'b'", "2: 'q\"q' '1'",
        "3! text follows a closing quote", "4: 'c' 'd'", "5: 'e'",
      ])
  }

  @Test(arguments: [1, 2, 5, 1000])
  func aQuoteInsideOfAFieldIsASign(pieces: Int) throws {
    let text = "15\",a\"\"b,\"q\"\"\"\n \"x\",\"y\"\r\n12\"\n\"z\"\"\",3\"\"\""
    #expect(
      try rows(text, pieces: pieces) == [
        "1: '15\"' 'a\"\"b' q'q\"'", "2: ' \"x\"' q'y'", "3: '12\"'", "4: q'z\"' '3\"\"\"'",
      ])
  }

  @Test func anOpenQuoteAndNoQuotes() throws {
    #expect(
      try rows("a\n\"b\nc", pieces: 3) == [
        "1: 'a'", "2! a quote is never closed: all lines from here on are in it",
      ])
    #expect(try rows("\"a,b\"\n", pieces: 3, hasQuotes: false) == ["1: '\"a' 'b\"'"])
  }
}
