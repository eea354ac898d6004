public import SectileCore

extension AggregateValues {
  /// A value that a composition works out from the items of each section, and from all of them.
  ///
  /// ```swift
  /// let counted = mails.aggregating(
  ///   .count("unread") { !$0.isRead },
  ///   .sum("bytes") { $0.size })
  /// counted.sections[0].aggregates["unread"]  // .integer(3)
  /// ```
  ///
  /// What an item counts as is asked when the item is written, and kept.
  public struct Term<Item: Sendable>: Sendable {
    /// What the value is called in headers and JSON.
    public let name: String
    let kind: AggregateSum.Kind
    let operand: @Sendable (Item) -> AggregateOperand
  }
}

extension AggregateValues.Term {
  /// How many items there are.
  ///
  /// - Parameter name: What the value is called.
  /// - Returns: The term.
  public static func count(_ name: String = "count") -> Self {
    Self(name: name, kind: .count) { _ in .one }
  }

  /// How many items satisfy a condition.
  ///
  /// ```swift
  /// mails.aggregating(.count("unread") { !$0.isRead })
  /// ```
  ///
  /// - Parameters:
  ///   - name: What the value is called.
  ///   - isCounted: Returns whether an item counts; it looks at nothing else.
  /// - Returns: The term.
  public static func count(
    _ name: String, where isCounted: @escaping @Sendable (Item) -> Bool
  ) -> Self {
    Self(name: name, kind: .count) { isCounted($0) ? .one : .nothing }
  }

  /// The sum of integers, added up in 128 bits; NULL of none, and where it does not fit into 64
  /// bits.
  ///
  /// The next change that makes it fit shows it again.
  ///
  /// - Parameters:
  ///   - name: What the value is called.
  ///   - number: Returns the number of an item, of 64 bits at most; nil where it has none.
  /// - Returns: The term.
  public static func sum<Number: FixedWidthInteger & Sendable>(
    _ name: String, of number: @escaping @Sendable (Item) -> Number?
  ) -> Self {
    Self(name: name, kind: .integers) { item in
      guard let number = number(item) else { return .nothing }
      return .integer(Int128(truncatingIfNeeded: number))
    }
  }

  /// The sum of real numbers, without any rounding until it is told; NULL of none, and where
  /// infinite numbers of both signs are among them.
  ///
  /// No order of changes has a part in it. What is not a number counts as none.
  ///
  /// - Parameters:
  ///   - name: What the value is called.
  ///   - number: Returns the number of an item; nil where it has none.
  /// - Returns: The term.
  public static func sum(
    _ name: String, of number: @escaping @Sendable (Item) -> Double?
  ) -> Self {
    Self(name: name, kind: .reals) { item in
      guard let number = number(item), !number.isNaN else { return .nothing }
      return .real(number)
    }
  }
}

extension AggregateValues {
  /// Returns the values with others behind them, which replace those of the same names.
  func replacing(_ names: [String], with values: [StoredValue]) -> AggregateValues {
    if names.isEmpty { return self }
    if isEmpty { return AggregateValues(Storage(names: names, values: values)) }
    var (allNames, allValues): ([String], [StoredValue]) = ([], [])
    for (name, value) in zip(self.names, self.values) where !names.contains(name) {
      allNames.append(name)
      allValues.append(value)
    }
    return AggregateValues(Storage(names: allNames + names, values: allValues + values))
  }
}
