import Foundation
import SectileCore
import Testing

import class GRDB.DatabaseQueue

@testable import SectileStore

/// One row of random values, filtered by SQLite and by Swift.
private struct Sample: Entity {
  var id: Int64
  var a: Int?
  var b: Int?
  var text: String?
  var other: String?

  static let schema = EntitySchema<Sample>(
    "sample", primaryKey: "id", attributes: .init("id", \.id), .init("a", \.a), .init("b", \.b),
    .init("text", \.text), .init("other", \.other))
  init(id: Int64, a: Int?, b: Int?, text: String?, other: String?) {
    (self.id, self.a, self.b, self.text, self.other) = (id, a, b, text, other)
  }
  init(row: inout RowReader) throws {
    id = try row.next()
    a = try row.next()
    b = try row.next()
    text = try row.next()
    other = try row.next()
  }
  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(a)
    try row.append(b)
    try row.append(text)
    try row.append(other)
  }
}

/// A condition in both languages: an expression, and a function that answers true, false or
/// unknown.
private struct Condition {
  let field: (EntityFields<Sample>) -> FieldExpression<Bool>
  let holds: (Sample) -> Bool?
}

/// A number in both languages.
private struct Number {
  let field: (EntityFields<Sample>) -> FieldExpression<Int?>
  let value: (Sample) -> Int?
}

/// Random conditions on random rows, evaluated by SQLite and by Swift over the same rows.
///
/// Where the two differ by design, the evaluator follows SQLite, and that is the whole list:
/// - Text is equal and ordered by its UTF-8 bytes: NFC and NFD forms differ, unlike `String ==`.
/// - A condition on nil is unknown; `&&`, `||` and `!` follow three-valued logic; unknown is not
///   wanted.
/// - Division and remainder by zero are nil instead of a trap.
/// - `lowercased` and `caseInsensitive` fold the 26 ASCII letters only.
/// - `length` counts code points, not characters, and only those before the first NUL.
@Suite(.timeLimit(.minutes(60))) struct FilterDifferentialTests {
  private static let texts: [String?] = [
    nil, "", "a", "A", "ab", "b", "Ba", "a\0b", "\0", "e\u{301}", "\u{E9}", "É", "%", "_", "a%b",
    "1", "-1", " a ", "ß", "👩‍👩‍👧", "zz\n", "'", "\"",
  ]

  @Test(arguments: 0..<40)
  func sqliteAndSwiftAgree(seed: UInt64) throws {
    var random = Generator(state: seed &* 7919 &+ 1)
    let rows = (1...40).map { id in
      Sample(
        id: Int64(id), a: number(&random), b: number(&random), text: text(&random),
        other: text(&random))
    }
    let queue = try DatabaseQueue()
    try queue.write { db throws in
      try db.execute(
        sql:
          "CREATE TABLE sample (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, text TEXT, other TEXT)"
      )
      let insert = try RawStatement.prepare("INSERT INTO sample VALUES (?, ?, ?, ?, ?)", on: db)
      for row in rows {
        try insert.bindAll([
          .integer(row.id), row.a.storedValue, row.b.storedValue, row.text.storedValue,
          row.other.storedValue,
        ])
        try insert.run()
      }
      let transaction = StoreReadTransaction(db: db, file: nil)
      for _ in 0..<25 {
        let condition = condition(&random, depth: 3)
        let request = FetchRequest<Sample>().filter(condition.field)
        let found = try transaction.fetchAll(request).map(\.id)
        let expected = rows.filter { condition.holds($0) == true }.map(\.id)
        let sql = try request.makePlan().filter
        #expect(found == expected, "seed \(seed): \(String(describing: sql))")
      }
    }
  }

  // MARK: - Random values

  private func number(_ random: inout Generator) -> Int? {
    Int.random(in: 0..<6, using: &random) == 0 ? nil : Int.random(in: -4...4, using: &random)
  }

  private func text(_ random: inout Generator) -> String? {
    Self.texts[Int.random(in: 0..<Self.texts.count, using: &random)]
  }

  private func someText(_ random: inout Generator) -> String { text(&random) ?? "a" }

  // MARK: - Random conditions

  private func condition(_ random: inout Generator, depth: Int) -> Condition {
    let kinds = depth > 0 ? 10 : 7
    switch Int.random(in: 0..<kinds, using: &random) {
    case 0, 1: return comparison(&random)
    case 2: return equality(&random)
    case 3: return search(&random)
    case 4: return membership(&random)
    case 5: return textComparison(&random)
    case 6: return nullness(&random)
    case 7:
      let inner = condition(&random, depth: depth - 1)
      return Condition(field: { !inner.field($0) }, holds: { inner.holds($0).map { !$0 } })
    case 8:
      let left = condition(&random, depth: depth - 1)
      let right = condition(&random, depth: depth - 1)
      return Condition(
        field: { left.field($0) && right.field($0) },
        holds: { row in
          let (first, second) = (left.holds(row), right.holds(row))
          if first == false || second == false { return false }
          return first == nil || second == nil ? nil : true
        })
    default:
      let left = condition(&random, depth: depth - 1)
      let right = condition(&random, depth: depth - 1)
      return Condition(
        field: { left.field($0) || right.field($0) },
        holds: { row in
          let (first, second) = (left.holds(row), right.holds(row))
          if first == true || second == true { return true }
          return first == nil || second == nil ? nil : false
        })
    }
  }

  private func comparison(_ random: inout Generator) -> Condition {
    let left = expression(&random, depth: 2)
    let right = expression(&random, depth: 2)
    func pair(_ row: Sample, _ compare: (Int, Int) -> Bool) -> Bool? {
      guard let first = left.value(row), let second = right.value(row) else { return nil }
      return compare(first, second)
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      return Condition(field: { left.field($0) < right.field($0) }, holds: { pair($0, <) })
    case 1:
      return Condition(field: { left.field($0) <= right.field($0) }, holds: { pair($0, <=) })
    case 2:
      return Condition(field: { left.field($0) > right.field($0) }, holds: { pair($0, >) })
    case 3:
      return Condition(field: { left.field($0) == right.field($0) }, holds: { pair($0, ==) })
    case 4:
      return Condition(
        field: { !left.field($0).isIdentical(to: right.field($0)) },
        holds: { left.value($0) != right.value($0) })
    default:
      return Condition(field: { left.field($0) != right.field($0) }, holds: { pair($0, !=) })
    }
  }

  private func expression(_ random: inout Generator, depth: Int) -> Number {
    guard depth > 0, Bool.random(using: &random) else {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return Number(field: { $0.a }, value: { $0.a })
      case 1: return Number(field: { $0.b }, value: { $0.b })
      case 2:
        return Number(
          field: { FieldExpression($0.text.length.expression) },
          value: { $0.text.map { $0.unicodeScalars.prefix { $0 != "\0" }.count } })
      default:
        let value = number(&random)
        return Number(field: { _ in FieldExpression(value) }, value: { _ in value })
      }
    }
    let left = expression(&random, depth: depth - 1)
    let right = expression(&random, depth: depth - 1)
    func pair(_ row: Sample, _ combine: (Int, Int) -> Int?) -> Int? {
      guard let first = left.value(row), let second = right.value(row) else { return nil }
      return combine(first, second)
    }
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return Number(field: { left.field($0) + right.field($0) }, value: { pair($0, +) })
    case 1: return Number(field: { left.field($0) - right.field($0) }, value: { pair($0, -) })
    case 2: return Number(field: { left.field($0) * right.field($0) }, value: { pair($0, *) })
    case 3:
      return Number(
        field: { left.field($0) / right.field($0) },
        value: { pair($0) { $1 == 0 ? nil : $0 / $1 } })
    case 4:
      return Number(
        field: { left.field($0) % right.field($0) },
        value: { pair($0) { $1 == 0 ? nil : $0 % $1 } })
    case 5: return Number(field: { -left.field($0) }, value: { left.value($0).map { -$0 } })
    default:
      let size = Int.random(in: 1...5, using: &random)
      return Number(
        field: { left.field($0).bucket(of: size) },
        value: { left.value($0).map { Int((Double($0) / Double(size)).rounded(.down)) * size } })
    }
  }

  private func equality(_ random: inout Generator) -> Condition {
    let wanted = text(&random)
    guard let wanted else {
      return Condition(field: { $0.text == nil }, holds: { $0.text == nil })
    }
    return Condition(
      field: { $0.text == wanted }, holds: { $0.text.map { Array($0.utf8) == Array(wanted.utf8) } })
  }

  private func textComparison(_ random: inout Generator) -> Condition {
    let wanted = someText(&random)
    if Bool.random(using: &random) {
      return Condition(
        field: { $0.text < wanted },
        holds: { $0.text.map { $0.utf8.lexicographicallyPrecedes(wanted.utf8) } })
    }
    return Condition(
      field: { $0.text + $0.other == wanted },
      holds: { row in
        guard let text = row.text, let other = row.other else { return nil }
        return Array((text + other).utf8) == Array(wanted.utf8)
      })
  }

  private func nullness(_ random: inout Generator) -> Condition {
    Bool.random(using: &random)
      ? Condition(field: { $0.a.isNull }, holds: { $0.a == nil })
      : Condition(field: { $0.other != nil }, holds: { $0.other != nil })
  }

  private func membership(_ random: inout Generator) -> Condition {
    let numbers = (0..<Int.random(in: 0..<4, using: &random)).map { _ in number(&random) }
    let bound = Int.random(in: -3...3, using: &random)
    guard Bool.random(using: &random) else {
      return Condition(
        field: { $0.b.in(bound...(bound + 2)) },
        holds: { $0.b.map { (bound...(bound + 2)).contains($0) } })
    }
    return Condition(
      field: { $0.a.in(numbers) },
      holds: { row in
        guard let value = row.a else {
          // IN of an empty list is false, also for NULL.
          return numbers.contains(nil) ? true : numbers.isEmpty ? false : nil
        }
        return numbers.contains(value)
      })
  }

  private func search(_ random: inout Generator) -> Condition {
    let wanted = someText(&random)
    func folded(_ text: String) -> [UInt8] {
      text.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
    }
    func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
      part.isEmpty
        || text.indices.contains { text[$0...].starts(with: part) }
    }
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      return Condition(
        field: { $0.text.contains(wanted) },
        holds: { $0.text.map { contains(Array($0.utf8), Array(wanted.utf8)) } })
    case 1:
      return Condition(
        field: { $0.text.hasPrefix(wanted) },
        holds: { $0.text.map { $0.utf8.starts(with: wanted.utf8) } })
    case 2:
      return Condition(
        field: { $0.text.hasSuffix(wanted) },
        holds: { $0.text.map { $0.utf8.reversed().starts(with: wanted.utf8.reversed()) } })
    case 3:
      return Condition(
        field: { $0.text.hasSuffix(wanted, caseInsensitive: true) },
        holds: { $0.text.map { folded($0).reversed().starts(with: folded(wanted).reversed()) } })
    default:
      return Condition(
        field: { $0.text.contains(wanted, caseInsensitive: true) },
        holds: { $0.text.map { contains(folded($0), folded(wanted)) } })
    }
  }
}

/// A small generator that a seed determines.
private struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
