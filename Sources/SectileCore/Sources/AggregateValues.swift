/// What is worked out from the rows of a section, or of all of them: sums, counts, extremes, by
/// name.
///
/// ```swift
/// let size = Aggregate.sum(\Package.installedSize)
/// let results = try store.results(of: request.aggregating(size))
/// results.sections[0].aggregates["sum(installed_size)"]  // .integer(30)
/// results.sections[0].aggregates[size]                   // 30
/// ```
///
/// Sources that work nothing out have none. Two are equal where names and values are, storage
/// classes included: 30 is not 30.0.
public struct AggregateValues: Sendable {
  /// What the values of one section, or of a list, are kept in.
  package final class Storage: Sendable {
    let names: [String]
    let values: [StoredValue]
    /// What the source works the next values out from.
    package let origin: (any AnyObject & Sendable)?

    /// Keeps values under their names.
    package init(
      names: [String], values: [StoredValue], origin: (any AnyObject & Sendable)? = nil
    ) {
      precondition(names.count == values.count, "\(values.count) values have \(names.count) names")
      self.names = names
      self.values = values
      self.origin = origin
    }
  }

  /// Nil where there are no values.
  package let storage: Storage?

  /// No values.
  public static let empty = AggregateValues(nil)

  /// Takes values from where they are kept.
  package init(_ storage: Storage?) { self.storage = storage }

  init(names: [String], values: [StoredValue]) {
    precondition(Set(names).count == names.count, "two aggregates have one name: \(names)")
    storage = names.isEmpty ? nil : Storage(names: names, values: values)
  }

  /// The names, in the order in which the aggregates were asked for.
  public var names: [String] { storage?.names ?? [] }

  /// The values, in the order of ``names``.
  public var values: [StoredValue] { storage?.values ?? [] }

  /// Whether there are none.
  public var isEmpty: Bool { storage == nil }

  /// The value with a name; nil where there is none.
  public subscript(name: String) -> StoredValue? {
    guard let storage, let position = storage.names.firstIndex(of: name) else { return nil }
    return storage.values[position]
  }
}

extension AggregateValues: Hashable {
  /// Returns whether names and values are the same, and each value has the same storage class.
  public static func == (left: AggregateValues, right: AggregateValues) -> Bool {
    guard let one = left.storage, let other = right.storage else {
      return left.storage == nil && right.storage == nil
    }
    return one === other
      || one.names == other.names && zip(one.values, other.values).allSatisfy(areSame)
  }

  /// Hashes the values.
  public func hash(into hasher: inout Hasher) { hasher.combine(values) }

  private static func areSame(_ left: StoredValue, _ right: StoredValue) -> Bool {
    switch (left, right) {
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    case (.integer, .real), (.real, .integer): false
    default: left == right
    }
  }
}

extension AggregateValues: ExpressibleByDictionaryLiteral {
  /// Creates values under their names: `["count": 2, "sum(size)": 30]`.
  ///
  /// - Precondition: No two have the same name.
  public init(dictionaryLiteral elements: (String, StoredValue)...) {
    self.init(names: elements.map(\.0), values: elements.map(\.1))
  }
}

extension AggregateValues: CustomStringConvertible {
  /// Names and values: `count 2, sum(size) 30`.
  public var description: String {
    zip(names, values).map { "\($0) \($1)" }.joined(separator: ", ")
  }
}

extension AggregateValues: Codable {
  private struct Name: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
  }

  /// A value; JSON has one kind of number, so that a whole real one is tagged.
  private struct CodedValue: Codable {
    let value: StoredValue

    init(_ value: StoredValue) { self.value = value }

    init(from decoder: any Decoder) throws { value = try StoredValue(from: decoder) }

    func encode(to encoder: any Encoder) throws {
      guard case .real(let real) = value, real.isFinite, StoredValue.real(real).isWhole else {
        return try value.encode(to: encoder)
      }
      var container = encoder.container(keyedBy: Name.self)
      try container.encode(String(real), forKey: Name(stringValue: JSONTag.real))
    }
  }

  /// Encodes the values as an object: `{"count":2,"sum(size)":30}`.
  ///
  /// Values are written as ``StoredValue/encode(to:)`` writes them, but for real numbers that are
  /// whole: `{"$real":"30.0"}`, because 30 is another value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for (name, value) in zip(names, values) {
      try container.encode(CodedValue(value), forKey: Name(stringValue: name))
    }
  }

  /// Decodes what ``encode(to:)`` writes; in the order of the names, since an object has none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Name.self)
    let keys = container.allKeys.sorted { $0.stringValue < $1.stringValue }
    self.init(
      names: keys.map(\.stringValue),
      values: try keys.map { try container.decode(CodedValue.self, forKey: $0).value })
  }
}
