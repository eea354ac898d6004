public import SectileCore

/// A value that is worked out from the rows of each section and of all of them, and kept up to
/// date.
///
/// ```swift
/// let size = Aggregate.sum(\Package.installedSize)
/// let results = try store.results(of: request.sectioned(by: \.section).aggregating(size))
/// try results.load()
/// results.sections[0].aggregates[size]  // the sum of the first section
/// results.aggregates[size]              // the sum of all sections
/// ```
///
/// A change of a value is part of the changeset of the rows that change it: a section update for
/// that of a section, `Changeset.contentsUpdate` for that of all rows. A value that stays is not
/// told.
///
/// The rules are SQLite's, as far as they do not depend on the order of rows. Values that are NULL
/// count nowhere. Sums and averages are exact and rounded once, so that no index, plan or order of
/// commits has a part in them; SQLite's own differ in the last digits from plan to plan.
public struct Aggregate<Root: Entity, Value: Sendable>: Sendable {
  /// What the value is called in headers and JSON; in SQL's words unless it was ``named(_:)``.
  public let name: String
  let function: Result<Function, StoreError>
  let decode: @Sendable (StoredValue) -> Value?

  /// What is worked out, before a condition is written as SQL.
  enum Function: Sendable {
    case plain(FetchPlan.Aggregate.Function)
    case conditionCount(SQLExpression)
  }

  private init(
    _ function: Result<Function, StoreError>, name: String,
    decode: @escaping @Sendable (StoredValue) -> Value?
  ) {
    self.name = name
    self.function = function
    self.decode = decode
  }

  /// Returns the aggregate under another name, which no other one of a request may have.
  public func named(_ name: String) -> Self {
    Self(function, name: name, decode: decode)
  }

  init(
    _ keyPath: any PartialKeyPath<Root> & Sendable,
    _ function: (String) -> FetchPlan.Aggregate.Function,
    decode: @escaping @Sendable (StoredValue) -> Value?
  ) {
    guard let attribute = Root.schema.attribute(for: keyPath) else {
      let error = StoreError.invalidRequest(
        "\(keyPath) is not an attribute of \(Root.self).",
        hint: "List it in the attributes of \(Root.self).schema, or use a property that is listed.")
      self.init(.failure(error), name: "\(keyPath)", decode: decode)
      return
    }
    let wanted = function(attribute.column)
    let isRefused = attribute.isDecimalText && wanted.needsNumbers
    self.init(
      isRefused ? .failure(.decimalText(attribute.column)) : .success(.plain(wanted)),
      name: wanted.description, decode: decode)
  }
}

// MARK: - Counts

extension Aggregate where Value == Int {
  /// How many rows there are.
  public static func count() -> Self {
    Self(
      .success(.plain(.rowCount)), name: FetchPlan.Aggregate.Function.rowCount.description,
      decode: Self.integer)
  }

  /// How many rows have a value that is not NULL.
  public static func count<Attribute: StorableValue>(
    _ keyPath: any KeyPath<Root, Attribute> & Sendable
  ) -> Self {
    Self(keyPath, { .valueCount($0) }, decode: Self.integer)
  }

  /// How many different values there are, by the collation of the column.
  ///
  /// - Complexity: A commit that changes a value in a section, or which rows it has, reads the
  ///   values of all its rows, and those of all sections: an index of section and value helps. One
  ///   that changes other columns reads none, unless another process made it.
  public static func count<Attribute: StorableValue>(
    distinct keyPath: any KeyPath<Root, Attribute> & Sendable
  ) -> Self {
    Self(keyPath, { .distinctCount($0) }, decode: Self.integer)
  }

  /// For how many rows a condition is true.
  ///
  /// ```swift
  /// Aggregate.count(named: "large") { (package: EntityFields<Package>) in
  ///   package.installedSize > 1024
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: What the value is called.
  ///   - condition: The condition, on the row's own properties or on related rows.
  /// - Returns: The aggregate.
  /// - Complexity: A commit that changes rows of a section reads the section again; not where it
  ///   changes other columns of the row than those whose names the condition has, and the condition
  ///   asks for no related rows.
  public static func count(
    named name: String, where condition: (EntityFields<Root>) -> FieldExpression<Bool>
  ) -> Self {
    Self(
      .success(.conditionCount(condition(.base).expression)), name: name, decode: Self.integer)
  }

  private static func integer(_ value: StoredValue) -> Int? {
    if case .integer(let integer) = value { Int(exactly: integer) } else { nil }
  }
}

// MARK: - Numbers

extension Aggregate where Value: FixedWidthInteger & StorableValue {
  /// The sum of integers; nil of no value.
  ///
  /// One that does not fit into 64 bits is delivered as a failure, `aggregateTooLarge`; one that
  /// fits there, and not into the property's own type, is nil as a `Value`, and at hand as a stored
  /// value by its name.
  public static func sum(_ keyPath: any KeyPath<Root, Value> & Sendable) -> Self {
    Self(keyPath, { .sum($0) }, decode: Self.integer)
  }

  /// The sum of integers that may be missing.
  public static func sum(_ keyPath: any KeyPath<Root, Value?> & Sendable) -> Self {
    Self(keyPath, { .sum($0) }, decode: Self.integer)
  }

  private static func integer(_ value: StoredValue) -> Value? {
    if case .integer(let integer) = value { Value(exactly: integer) } else { nil }
  }
}

extension Aggregate where Value == Double {
  /// The sum of real numbers, rounded once; nil of no value.
  public static func sum(_ keyPath: any KeyPath<Root, Double> & Sendable) -> Self {
    Self(keyPath, { .sum($0) }, decode: Self.real)
  }

  /// The sum of real numbers that may be missing.
  public static func sum(_ keyPath: any KeyPath<Root, Double?> & Sendable) -> Self {
    Self(keyPath, { .sum($0) }, decode: Self.real)
  }

  /// The average of numbers, rounded once; nil of no value.
  ///
  /// That of `Decimal`s is a `Decimal` where no `Double` is asked for.
  @_disfavoredOverload
  public static func average<Attribute: StorableValue>(
    _ keyPath: any KeyPath<Root, Attribute> & Sendable
  ) -> Self {
    let form = Root.schema.attribute(for: keyPath)?.form ?? .standard
    guard form.isDecimal else { return Self(keyPath, { .average($0) }, decode: Self.real) }
    return Self(keyPath, { .average($0) }, decode: { form.real(ofAverage: $0) })
  }

  private static func real(_ value: StoredValue) -> Double? {
    switch value {
    case .real(let real): real
    case .integer(let integer): Double(exactly: integer)
    case .null, .text, .blob: nil
    }
  }
}

// MARK: - Extremes

extension Aggregate where Value: StorableValue {
  /// The smallest value in SQLite's order; nil of no value.
  ///
  /// Of values that are equal there, as 1 and 1.0, or `a` and `A` where the column ignores case,
  /// the integer counts, then the one with smaller bytes.
  public static func minimum(_ keyPath: any KeyPath<Root, Value> & Sendable) -> Self {
    extreme(of: keyPath) { .minimum($0) }
  }

  /// The smallest value in SQLite's order, of values that may be missing; nil of no value.
  public static func minimum(_ keyPath: any KeyPath<Root, Value?> & Sendable) -> Self {
    extreme(of: keyPath) { .minimum($0) }
  }

  /// The largest value in SQLite's order; nil of no value.
  ///
  /// Of values that are equal there the same one counts as for the smallest.
  public static func maximum(_ keyPath: any KeyPath<Root, Value> & Sendable) -> Self {
    extreme(of: keyPath) { .maximum($0) }
  }

  /// The largest value in SQLite's order, of values that may be missing; nil of no value.
  public static func maximum(_ keyPath: any KeyPath<Root, Value?> & Sendable) -> Self {
    extreme(of: keyPath) { .maximum($0) }
  }

  private static func extreme(
    of keyPath: any PartialKeyPath<Root> & Sendable,
    _ function: (String) -> FetchPlan.Aggregate.Function
  ) -> Self {
    let form = Root.schema.attribute(for: keyPath)?.form ?? .standard
    return Self(keyPath, function) { $0 == .null ? nil : Value.decoded($0, in: form) }
  }
}

// MARK: - Reading

extension AggregateValues {
  /// The value of an aggregate; nil where there is none, and where it was not asked for.
  public subscript<Root, Value>(aggregate: Aggregate<Root, Value>) -> Value? {
    self[aggregate.name].flatMap(aggregate.decode)
  }
}

// MARK: - Requesting

extension FetchRequest {
  /// Works a value out for each section and for all rows, besides those so far.
  ///
  /// ```swift
  /// let size = Aggregate.sum(\Package.installedSize)
  /// let count = Aggregate<Package, Int>.count()
  /// request.aggregating(size, count)
  /// ```
  ///
  /// A request with aggregates is loaded in one piece: there is no first batch before all rows are
  /// counted.
  ///
  /// - Parameter aggregates: What is worked out.
  /// - Returns: The refined request.
  public func aggregating<each Value>(_ aggregates: repeat Aggregate<E, each Value>) -> Self {
    with { request in
      for aggregate in repeat each aggregates {
        request.aggregates.append(AggregateTerm(aggregate))
      }
    }
  }

  /// Says which rows aggregates are of where the request has a limit or an offset; those that are
  /// shown unless told otherwise.
  ///
  /// - Complexity: With a limit or an offset, each commit that concerns the request works the
  ///   aggregates of all ``FetchPlan/AggregateScope/wanted`` rows out anew, in O(*n*).
  public func aggregating(over scope: FetchPlan.AggregateScope) -> Self {
    with { $0.aggregateScope = scope }
  }
}

extension FetchPlan.Aggregate.Function {
  /// Whether the order or the sum of values counts.
  fileprivate var needsNumbers: Bool {
    switch self {
    case .rowCount, .conditionCount, .valueCount, .distinctCount: false
    case .sum, .average, .minimum, .maximum: true
    }
  }
}

/// An aggregate of a request, without the type of its value.
package struct AggregateTerm: Sendable {
  private let name: String
  private let render:
    @Sendable (inout SQLRenderer) throws(StoreError) -> FetchPlan.Aggregate.Function

  fileprivate init<E, Value>(_ aggregate: Aggregate<E, Value>) {
    name = aggregate.name
    render = { renderer throws(StoreError) in
      switch try aggregate.function.get() {
      case .plain(let function): return function
      case .conditionCount(let condition):
        return .conditionCount(try renderer.render(condition))
      }
    }
  }

  /// Returns the aggregate as the plan's.
  func planAggregate(with renderer: inout SQLRenderer) throws(StoreError) -> FetchPlan.Aggregate {
    FetchPlan.Aggregate(try render(&renderer), name: name)
  }
}
