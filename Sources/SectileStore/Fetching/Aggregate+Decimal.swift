public import Foundation
internal import SectileCore

// Of columns that are declared with ``ColumnEncoding/decimal(scale:)``.

extension Aggregate where Value == Decimal {
  /// The sum of decimal numbers, exact; nil of no value.
  ///
  /// ```swift
  /// let total = Aggregate.sum(\Invoice.total)
  /// ```
  ///
  /// The column is declared with ``ColumnEncoding/decimal(scale:)``: a request for the sum of one
  /// that holds text is invalid. A sum that does not fit into 64 bits is delivered as a failure,
  /// `aggregateTooLarge`. Read it with this value: by its name alone it is the integer that such a
  /// column would hold.
  public static func sum(_ keyPath: any KeyPath<Root, Decimal> & Sendable) -> Self {
    units(of: keyPath) { .sum($0) }
  }

  /// The sum of decimal numbers that may be missing, exact.
  public static func sum(_ keyPath: any KeyPath<Root, Decimal?> & Sendable) -> Self {
    units(of: keyPath) { .sum($0) }
  }

  /// The average of decimal numbers; nil of no value.
  ///
  /// It is exact where it has at most 15 digits, and rounded once otherwise, as a `Double` is. The
  /// column is declared as for a sum.
  public static func average(_ keyPath: any KeyPath<Root, Decimal> & Sendable) -> Self {
    average(of: keyPath)
  }

  /// The average of decimal numbers that may be missing.
  public static func average(_ keyPath: any KeyPath<Root, Decimal?> & Sendable) -> Self {
    average(of: keyPath)
  }

  private static func average(of keyPath: any PartialKeyPath<Root> & Sendable) -> Self {
    let form = (Root.schema.attribute(for: keyPath)?.form ?? .standard).ofAverage
    return Self(keyPath, { .average($0) }, decode: { form.decimal(from: $0) })
  }

  private static func units(
    of keyPath: any PartialKeyPath<Root> & Sendable,
    _ function: (String) -> FetchPlan.Aggregate.Function
  ) -> Self {
    let form = Root.schema.attribute(for: keyPath)?.form ?? .standard
    return Self(keyPath, function, decode: { form.decimal(from: $0) })
  }
}
