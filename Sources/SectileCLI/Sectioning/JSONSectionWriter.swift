internal import Sectile
internal import SectileInspecting

/// Writes sections as one JSON document, or as a line for each section and row.
///
/// The document, version 2:
///
/// ```json
/// {"v":2,"table":"tool","sectionBy":"kind","columns":["id","name"],"sections":[
/// {"section":"saws","count":2,"aggregates":{"sum(size)":7},"rows":[
/// {"id":1,"name":"fret saw"},
/// {"id":4,"name":"rip saw"}]}],
/// "count":2,"aggregates":{"sum(size)":7}}
/// ```
///
/// The lines, version 2: one of the kind `section` before those of its rows, of the kind `row`; the
/// last is of the kind `total`.
///
/// ```json
/// {"v":2,"kind":"section","section":"saws","count":2,"aggregates":{"sum(size)":7}}
/// {"v":2,"kind":"row","section":"saws","row":{"id":1,"name":"fret saw"}}
/// {"v":2,"kind":"total","count":2,"aggregates":{"sum(size)":7}}
/// ```
///
/// `count` and the aggregates are over all rows of a section, also where some are not written. A
/// `section` of null is that of NULL. Those of all rows are null together where SQLite cannot work
/// them out, as a sum that is too large. Values are as in `sectile sqlite --mode json`.
final class JSONSectionWriter: SectionWriting {
  private let query: SectionedQuery
  private let sectionBy: String?
  private let isDocument: Bool
  private let output: Output
  private let names: [String]
  private var section = ""
  private var isFirstSection = true
  private var isFirstRow = true

  init(_ query: SectionedQuery, sectionBy: String?, isDocument: Bool, output: Output) {
    self.query = query
    self.sectionBy = sectionBy
    self.isDocument = isDocument
    self.output = output
    names = query.columns.map(ValueText.json)
  }

  func begin() throws {
    guard isDocument else { return }
    try output.write(
      "{\"v\":\(ValueText.jsonVersion),\"table\":\(ValueText.json(query.table)),\"sectionBy\":"
        + (sectionBy.map(ValueText.json) ?? "null")
        + ",\"columns\":[\(names.joined(separator: ","))],\"sections\":[")
  }

  func begin(_ head: SectionHead) throws {
    section = ValueText.json(head.identity)
    let members = "\"section\":\(section),\(counts(head.count, head.aggregates))"
    if isDocument {
      try output.write("\(isFirstSection ? "" : ",")\n{\(members),\"rows\":[")
    } else {
      try output.line("{\"v\":\(ValueText.jsonVersion),\"kind\":\"section\",\(members)}")
    }
    isFirstSection = false
    isFirstRow = true
  }

  func write(_ row: [StoredValue], invalidText: [Int]) throws {
    let members = row.enumerated().map { column, value in
      if case .blob(let bytes) = value, invalidText.contains(column) {
        return "\(names[column]):\(ValueText.json(invalidText: bytes))"
      }
      return "\(names[column]):\(ValueText.json(value))"
    }
    let object = "{\(members.joined(separator: ","))}"
    if isDocument {
      try output.write("\(isFirstRow ? "" : ",")\n\(object)")
    } else {
      try output.line(
        "{\"v\":\(ValueText.jsonVersion),\"kind\":\"row\",\"section\":\(section),"
          + "\"row\":\(object)}")
    }
    isFirstRow = false
  }

  func endSection(leftOut: Int) throws {
    if isDocument { try output.write("]}") }
  }

  func finish(_ totals: SectionTotals) throws {
    let members = counts(totals.count, try? totals.aggregates.get())
    let start = isDocument ? "],\n" : "{\"v\":\(ValueText.jsonVersion),\"kind\":\"total\","
    try output.line("\(start)\(members)}")
  }

  private func counts(_ count: Int, _ values: [ExactValue]?) -> String {
    let aggregates = values.map { values in
      let members = zip(query.aggregates, values)
        .map { "\(ValueText.json($0)):\(ValueText.json($1))" }.joined(separator: ",")
      return "{\(members)}"
    }
    return "\"count\":\(count),\"aggregates\":\(aggregates ?? "null")"
  }
}
