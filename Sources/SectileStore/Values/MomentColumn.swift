internal import Foundation
internal import SectileCore

/// A date of a row as SQL reads it, whatever form its column has.
struct MomentColumn {
  private enum Scale {
    /// Text in UTC; what stands between the day and the hour.
    case text(separator: String)
    /// A number of units since a second of 1970; a part of a second is kept where it is real.
    case number(perSecond: Int64, since: Int64)
  }

  let value: SQLExpression
  private let scale: Scale

  /// Seconds from 1970 to 2001, Foundation's reference date.
  private static let referenceDate = Int64(Date.timeIntervalBetween1970AndReferenceDate)

  init(_ value: SQLExpression, in form: ColumnEncoding) {
    self.value = value
    scale =
      switch form {
      case .unixSeconds, .unixSecondsReal: .number(perSecond: 1, since: 0)
      case .unixMilliseconds: .number(perSecond: 1000, since: 0)
      case .referenceSecondsReal: .number(perSecond: 1, since: Self.referenceDate)
      case .iso8601, .iso8601Milliseconds: .text(separator: "T")
      default: .text(separator: " ")
      }
  }

  /// Seconds since 1970; NULL where the row has none, and where SQLite cannot read it.
  var seconds: SQLExpression {
    switch scale {
    case .text: .call("unixepoch", [value])
    case .number(1, 0): value
    case .number(1, let start): .infix(value, "+", .constant("\(start).0"))
    case .number(let units, _): .infix(value, "/", .constant("\(units).0"))
    }
  }

  /// What SQLite's functions of time take for the moment: a value, and what says how it is read.
  var time: [SQLExpression] {
    switch scale {
    case .text: [value]
    case .number: [seconds, .constant("'unixepoch'")]
    }
  }

  /// Whether the row has a date that SQLite can read; nil where ``seconds`` is NULL for others.
  var isReadable: SQLExpression? {
    switch scale {
    // SQLite would count what is no number as zero.
    case .number:
      .list(.call("typeof", [value]), [.constant("'integer'"), .constant("'real'")])
    case .text: nil
    }
  }

  /// What the value of a row is compared with to tell whether it is before a second: a constant in
  /// the column's form.
  ///
  /// - Parameter second: The second, since 1970.
  /// - Returns: The constant; of text its first 19 letters, with which all texts of that second
  ///   begin, with a fraction and without.
  func limit(_ second: Int64) -> SQLExpression {
    switch scale {
    case .number(let units, let start): .constant("\((second - start) * units)")
    case .text(let separator):
      if let text = DateText.text(from: Date(timeIntervalSince1970: Double(second))) {
        .constant("'\(text.prefix(10))\(separator)\(text.dropFirst(11).prefix(8))'")
      } else {
        .invalid(.invalidRequest("A request holds a date outside of the years 0…9999."))
      }
    }
  }
}
