public import Foundation
internal import SectileCore

// Foundation's predicates and sort descriptors, as programs for SwiftData have them. A predicate is
// a tree of generic types: an extension of each says what SQL makes of its parts.

extension FetchRequest {
  /// Wants only rows that meet a Foundation predicate, besides the conditions so far.
  ///
  /// ```swift
  /// let request = try FetchRequest<Package>().filter(#Predicate { $0.installedSize > 1024 })
  /// ```
  ///
  /// Comparison, logic, arithmetic, `contains` of collections and ranges, `contains` and
  /// `starts(with:)` of text, nil and `??` are translated. The meaning is SQLite's: text compares
  /// by bytes, and a comparison with NULL is neither true nor false, except `==` and `!=` with
  /// optional values, which hold nil equal to nil as they do in Swift.
  ///
  /// - Throws: ``StoreError`` with the code `unsupportedPredicate` that names the construct SQL
  ///   cannot say, or the property that is no attribute; `invalidRequest` where the order counts of
  ///   a `Decimal` that is stored as text.
  public func filter(_ predicate: Predicate<E>) throws(StoreError) -> Self {
    let condition = try Self.sql(predicate.expression, in: .standard)
    return with { $0.add(condition) }
  }

  /// Sorts by Foundation's sort descriptors, among rows that the sort keys so far leave equal.
  ///
  /// ```swift
  /// let request = try FetchRequest<Package>().sort(by: [SortDescriptor(\.name, order: .reverse)])
  /// ```
  ///
  /// Text compares by the collation its column declares.
  ///
  /// - Throws: ``StoreError`` with the code `unsupportedPredicate` for a key path that is no
  ///   attribute, and for a comparator of text other than `.lexical`.
  public func sort(by descriptors: [SortDescriptor<E>]) throws(StoreError) -> Self {
    var terms: [SortTerm] = []
    for descriptor in descriptors {
      let column = descriptor.keyPath.flatMap { Self.column($0) }
      guard let column, [nil, .lexical].contains(descriptor.stringComparator) else {
        let fault = column == nil ? "names no attribute" : "compares text as SQLite cannot"
        throw StoreError(
          .unsupportedPredicate, message: "A sort descriptor of \(E.self) \(fault).",
          hint: "Use attributes and the comparator .lexical, or sort(by:) with a field.")
      }
      let direction: SortDirection = descriptor.order == .forward ? .ascending : .descending
      terms.append(SortTerm(column.orderedExpression, direction))
    }
    return with { $0.sortTerms += terms }
  }

  private static func column(_ keyPath: AnyKeyPath) -> FieldExpression<Void>? {
    E.schema.attributes.first { $0.keyPath as AnyKeyPath == keyPath }
      .map {
        FieldExpression(
          .column(.base(E.schema.table), $0.column), form: $0.form, isDecimalText: $0.isDecimalText)
      }
  }

  /// Returns the SQL for a node of a predicate, or for a value.
  private static func sql(_ node: Any, in form: ColumnEncoding) throws(StoreError) -> SQLExpression
  {
    if let value = resolved(node) as? any StorableValue { return SQLExpression(value, in: form) }
    switch (node as? any SQLNode)?.sql {
    case .property(let keyPath, let type, let isOfRow):
      if isOfRow, let column = column(keyPath) { return column.expression }
      throw StoreError(
        .unsupportedPredicate, message: "\(keyPath) is not an attribute of \(type).",
        hint: "Use a property that the schema lists, or the closure form of filter.")
    case .choice(let name, let test, let values):
      return .call(name, try parts(test) + parts(values))
    case .of(let nodes, let make): return make(try parts(nodes))
    case .ordered(let nodes, let make):
      for node in nodes {
        if case .invalid(let error)? = columnField(of: node)?.orderedExpression { throw error }
      }
      return make(try parts(nodes))
    case .constant, nil:
      let name = String(describing: type(of: node)).prefix { $0 != "<" }  // without its arguments
      throw StoreError(
        .unsupportedPredicate, message: "SQL cannot say what the predicate says with \(name).",
        hint: "Use the closure form of filter, or a condition in SQL.")
    }
  }

  private static func parts(_ nodes: [Any]) throws(StoreError) -> [SQLExpression] {
    let forms = nodes.compactMap { columnField(of: $0)?.form }
    if let other = forms.first(where: { $0 != forms[0] }) { throw .twoForms(forms[0], other) }
    return try nodes.map { node throws(StoreError) in try sql(node, in: forms.first ?? .standard) }
  }

  private static func columnField(of node: Any) -> FieldExpression<Void>? {
    let sql = (node as? any SQLNode)?.sql
    if case .choice(_, _, let values) = sql { return values.lazy.compactMap(columnField).first }
    if case .property(let keyPath, _, true) = sql { return column(keyPath) }
    return nil
  }
}

/// What SQL makes of a node of a predicate.
enum NodeSQL {
  /// A constant, which need not be one that SQLite can hold.
  case constant(Any)
  /// A property of a type: of the row, or of something that SQL cannot look into.
  case property(AnyKeyPath, of: Any.Type, isOfRow: Bool)
  /// A call that returns one of several values, after a test or without one.
  case choice(String, [Any], [Any])
  /// An expression of parts; constants are written in the form of the columns among them.
  case of([Any], ([SQLExpression]) -> SQLExpression)
  /// An expression of parts whose order counts.
  case ordered([Any], ([SQLExpression]) -> SQLExpression)

  static func infix(_ left: Any, _ name: String?, _ right: Any) -> Self? {
    name.map { name in .of([left, right]) { .infix($0[0], name, $0[1]) } }
  }

  /// An operator with another name where the left side may be nil.
  static func infix<Left: PredicateExpression>(
    _ left: Left, _ name: String, orForNil other: String, _ right: Any
  ) -> Self? {
    .infix(left, Left.Output.self is any ExpressibleByNilLiteral.Type ? other : name, right)
  }

  static func find<Text: PredicateExpression>(_ text: Text, _ part: Any, _ test: String) -> Self? {
    guard Text.Output.self is any TextStorable.Type else { return nil }
    return .of([text, part]) { .suffix(.call("instr", $0), test) }
  }
}

/// A node of a predicate that SQL may be able to say; nil where it cannot say this one.
protocol SQLNode { var sql: NodeSQL? { get } }
private typealias Node = PredicateExpressions

/// Returns the value of a node that is a constant; any other node as it is.
private func resolved(_ node: Any) -> Any {
  if case .constant(let value)? = (node as? any SQLNode)?.sql { value } else { node }
}

// A range of values or of nodes.
private typealias Bounds = (lower: Any, upper: Any, isClosed: Bool)
private protocol Bounded { var bounds: Bounds { get } }
extension Range: Bounded { fileprivate var bounds: Bounds { (lowerBound, upperBound, false) } }
extension ClosedRange: Bounded { fileprivate var bounds: Bounds { (lowerBound, upperBound, true) } }
extension Node.Range: Bounded { fileprivate var bounds: Bounds { (lower, upper, false) } }
extension Node.ClosedRange: Bounded { fileprivate var bounds: Bounds { (lower, upper, true) } }

extension Node.Value: SQLNode { var sql: NodeSQL? { .constant(value) } }
extension Node.NilLiteral: SQLNode { var sql: NodeSQL? { .of([]) { _ in .constant("NULL") } } }
extension Node.KeyPath: SQLNode {
  var sql: NodeSQL? {
    if let value = resolved(root) as? Root.Output { return .constant(value[keyPath: keyPath]) }
    if keyPath as AnyKeyPath == \String.isEmpty { return .of([root]) { .suffix($0[0], "= ''") } }
    return .property(keyPath, of: Root.Output.self, isOfRow: root is Node.Variable<Root.Output>)
  }
}
extension Node.NilCoalesce: SQLNode {
  var sql: NodeSQL? { .choice("coalesce", [], [lhs, rhs]) }
}
extension Node.Conditional: SQLNode {
  var sql: NodeSQL? { .choice("iif", [test], [trueBranch, falseBranch]) }
}
extension Node.Conjunction: SQLNode {
  var sql: NodeSQL? { .of([lhs, rhs]) { .and($0[0], $0[1]) } }
}
extension Node.Disjunction: SQLNode { var sql: NodeSQL? { .of([lhs, rhs]) { .or($0[0], $0[1]) } } }
extension Node.Negation: SQLNode {
  var sql: NodeSQL? { .of([wrapped]) { .prefix("NOT ", $0[0]) } }
}
extension Node.Equal: SQLNode { var sql: NodeSQL? { .infix(lhs, "=", orForNil: "IS", rhs) } }
extension Node.NotEqual: SQLNode {
  var sql: NodeSQL? { .infix(lhs, "<>", orForNil: "IS NOT", rhs) }
}
extension Node.Comparison: SQLNode {
  var sql: NodeSQL? {
    let names: [Node.ComparisonOperator: String] = [
      .lessThan: "<", .lessThanOrEqual: "<=", .greaterThan: ">", .greaterThanOrEqual: ">=",
    ]
    guard let name = names[op] else { return nil }
    return .ordered([lhs, rhs]) { .infix($0[0], name, $0[1]) }
  }
}
extension Node.Arithmetic: SQLNode {
  var sql: NodeSQL? {
    // What columns hold of decimal numbers are integers of several units, or texts.
    guard LHS.Output.self != Decimal.self else { return nil }
    return .infix(lhs, [.add: "+", .subtract: "-", .multiply: "*"][op], rhs)
  }
}
extension Node.IntDivision: SQLNode { var sql: NodeSQL? { .infix(lhs, "/", rhs) } }
extension Node.FloatDivision: SQLNode { var sql: NodeSQL? { .infix(lhs, "/", rhs) } }
extension Node.IntRemainder: SQLNode { var sql: NodeSQL? { .infix(lhs, "%", rhs) } }
extension Node.UnaryMinus: SQLNode {
  var sql: NodeSQL? {
    guard Wrapped.Output.self != Decimal.self else { return nil }
    return .of([wrapped]) { .prefix("-", $0[0]) }
  }
}
extension Node.SequenceContains: SQLNode {
  var sql: NodeSQL? {
    guard let values = resolved(sequence) as? any Sequence else { return nil }
    return .of([element] + values.map { $0 as Any }) {
      FieldExpression.membership(of: $0[0], in: Array($0.dropFirst())).expression
    }
  }
}
extension Node.RangeExpressionContains: SQLNode {
  var sql: NodeSQL? {
    guard let bounds = (resolved(range) as? any Bounded)?.bounds else { return nil }
    return .ordered([element, bounds.lower, bounds.upper]) {
      bounds.isClosed
        ? .mixfix($0[0], "BETWEEN", $0[1], "AND", $0[2])
        : .and(.infix($0[0], ">=", $0[1]), .infix($0[0], "<", $0[2]))
    }
  }
}
extension Node.CollectionContainsCollection: SQLNode {
  var sql: NodeSQL? { .find(base, other, "> 0") }
}
extension Node.SequenceStartsWith: SQLNode { var sql: NodeSQL? { .find(base, prefix, "= 1") } }
