import SectileCore
import Testing

@testable import SectileStore

/// Digests of rows: one row has one digest, however it is taken.
@Suite(.timeLimit(.minutes(60))) struct RowDigestTests {
  private static let texts = [
    "", "a", "1234567", "12345678", "123456789", "a text of 24 characters.",
  ]

  /// Calls `body` with columns of every kind, of which the last is a text.
  private func withColumns<Result>(
    ending text: String, _ body: (UnsafeBufferPointer<RawColumn>) -> Result
  ) -> Result {
    var text = text
    return text.withUTF8 { bytes in
      let columns: [RawColumn] = [
        .null, .integer(7), .real(0.5), .blob(UnsafeRawBufferPointer(bytes)),
        .text(UnsafeRawBufferPointer(bytes)),
      ]
      return columns.withUnsafeBufferPointer(body)
    }
  }

  @Test(arguments: texts, texts)
  func changeHasTheDigestsOfBothRows(before: String, after: String) {
    // The image holds the item's columns in another order.
    let positions = [4, 3, 2, 1, 0]
    withColumns(ending: before) { old in
      let image = Array(old.reversed())
      image.withUnsafeBufferPointer { image in
        withColumns(ending: after) { new in
          let change = RowDigest.change(from: image, at: positions, to: new)
          #expect((change == nil) == (before == after))
          guard let change else { return }
          #expect(change.before == RowDigest.of(old))
          #expect(change.before == RowDigest.of(image, at: positions))
          #expect(change.after == RowDigest.of(new))
          #expect(change.before != change.after)
        }
      }
    }
  }

  @Test func everyByteCounts() {
    var digests: Set<UInt64> = []
    for count in 0..<40 {
      for position in 0..<max(1, count) {
        var bytes = [UInt8](repeating: 0, count: count)
        if count > 0 { bytes[position] = 1 }
        bytes.withUnsafeBytes { bytes in
          [RawColumn.blob(bytes)].withUnsafeBufferPointer { columns in
            _ = digests.insert(RowDigest.of(columns))
          }
        }
      }
    }
    #expect(digests.count == 1 + (1..<40).reduce(0, +))
  }

  @Test func columnsAreToldApart() {
    withColumns(ending: "ab") { columns in
      let digests = Set(
        columns.indices.map { RowDigest.of(columns, at: [$0]) }
          + [RowDigest.of(columns, at: [1, 2]), RowDigest.of(columns, at: [2, 1])])
      #expect(digests.count == columns.count + 2)
    }
  }
}
