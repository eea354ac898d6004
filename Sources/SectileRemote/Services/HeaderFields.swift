/// The header fields of a request or an answer, in order; names are compared without regard to
/// case.
///
/// ```swift
/// let headers: HeaderFields = ["Accept": "application/json"]
/// headers["accept"]  // "application/json"
/// ```
public struct HeaderFields: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// One field.
  public struct Field: Hashable, Sendable {
    /// The field's name, as it was written.
    public var name: String
    /// The field's value.
    public var value: String

    /// Creates a field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The fields, in order; a name may occur several times.
  public private(set) var fields: [Field]

  /// Creates a list of fields.
  public init(_ fields: [Field] = []) {
    self.fields = fields
  }

  /// Creates a list of fields from pairs of name and value.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// Appends a field; what has the same name stays.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Returns all values of a name, in order.
  public func values(of name: String) -> [String] {
    let name = name.lowercased()
    return fields.filter { $0.name.lowercased() == name }.map(\.value)
  }

  /// The first value of a name; setting it replaces all of them, nil removes them.
  public subscript(name: String) -> String? {
    get { values(of: name).first }
    set {
      let lowercased = name.lowercased()
      fields.removeAll { $0.name.lowercased() == lowercased }
      if let newValue { fields.append(Field(name: name, value: newValue)) }
    }
  }
}
