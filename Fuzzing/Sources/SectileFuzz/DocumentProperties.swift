import Foundation
import Sectile

@testable import SectileCLI

/// A JSON document of objects.
///
/// There are as many records as the document has objects, and what is written of them, an object a
/// line, is read to the same names and values.
enum DocumentProperties {
  static func check(_ input: FuzzInput) throws {
    let read = try attempt(CommandFailure.self) {
      try JSONRecord.read { try $0.readDocument(of: try MemoryFile.source(input.bytes), $1) }
    }
    let objects =
      try? JSONSerialization.jsonObject(with: Data(input.bytes)) as? [Any]
    // Foundation takes a comma too many, so what it reads may well be refused.
    guard let records = read else { return }
    if let objects {
      require(
        records.count == objects.count, "\(records.count) records of \(objects.count) elements")
    }
    require(
      zip(records, records.dropFirst()).allSatisfy { $0.number < $1.number },
      "records are not in order")
    try JSONRecord.requireReadBack(records, isControl: input.isControl)
  }
}
