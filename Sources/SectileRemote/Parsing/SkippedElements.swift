/// The elements of a page that are no items, and were left out of it.
///
/// All are counted; of the first ones it is told what is wrong with them:
///
/// ```swift
/// for report in page.skipped.reports { print(report) }   // element 3, at name: String is missing
/// ```
///
/// See ``JSONPageParser/skippingBadElements(reportLimit:onSkip:)``.
public struct SkippedElements: Hashable, Sendable {
  /// What is wrong with an element.
  public struct Reason: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String, Sendable {
      case missingField
      case missingValue
      case rejected
      case unfitValue
      case wrongType
    }

    private let kind: Kind

    /// The reason's name.
    public var description: String { kind.rawValue }

    /// A field that the item needs is not there.
    public static let missingField = Reason(kind: .missingField)
    /// There is null where the item needs a value.
    public static let missingValue = Reason(kind: .missingValue)
    /// The item's own initializer threw an error that is none of decoding.
    public static let rejected = Reason(kind: .rejected)
    /// A value is of the right type and yet none that the item can take: a number too large, a date
    /// in another form.
    public static let unfitValue = Reason(kind: .unfitValue)
    /// A value, or the element itself, is of another type.
    public static let wrongType = Reason(kind: .wrongType)
  }

  /// What is wrong with one element.
  public struct Report: Hashable, Sendable, CustomStringConvertible {
    /// Which element of the page it is, from zero, the good ones counted too.
    public let offset: Int
    /// What kind of fault it is.
    public let reason: Reason
    /// The names on the way from the element to the fault; none where the element itself is it, or
    /// the decoder does not tell.
    public let place: [String]
    /// What the fault is, in words.
    public let message: String

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - offset: Which element of the page it is, from zero.
    ///   - reason: What kind of fault it is.
    ///   - place: The names on the way from the element to the fault.
    ///   - message: What the fault is, in words.
    public init(offset: Int, reason: Reason, place: [String] = [], message: String) {
      self.offset = offset
      self.reason = reason
      self.place = place
      self.message = message
    }

    /// Which element it is, and what is wrong with it.
    public var description: String {
      let way = place.isEmpty ? "" : ", at \(place.joined(separator: "."))"
      return "element \(offset)\(way): \(message)"
    }
  }

  /// The places of the elements in their page, from zero, ascending.
  public private(set) var offsets: [Int] = []
  /// What is wrong with the first of them.
  public private(set) var reports: [Report] = []

  /// No elements.
  public static let none = SkippedElements()

  /// Creates a list without elements.
  public init() {}

  /// How many elements were left out.
  public var count: Int { offsets.count }

  /// Whether none was left out.
  public var isEmpty: Bool { offsets.isEmpty }

  /// Adds an element that comes after the others.
  ///
  /// - Parameters:
  ///   - offset: Which element of the page it is, from zero.
  ///   - report: What is wrong with it; nil where that is not told.
  /// - Precondition: `offset` is greater than all before.
  public mutating func append(offset: Int, report: Report?) {
    let last = offsets.last ?? -1
    precondition(offset > last, "element \(offset) does not come after element \(last)")
    offsets.append(offset)
    if let report { reports.append(report) }
  }
}
