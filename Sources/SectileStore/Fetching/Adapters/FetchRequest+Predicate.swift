public import Foundation

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
  ///   cannot say, or the property that is no attribute.
  public func filter(_ predicate: Predicate<E>) throws(StoreError) -> Self {
    let translation = PredicateTranslation(variable: predicate.variable.key) { keyPath in
      guard let keyPath = keyPath as? PartialKeyPath<E> else { return nil }
      return E.schema.attribute(ofPredicate: keyPath)
        .map { FieldExpression(.column(.base(E.schema.table), $0.column), form: $0.form) }
    }
    let condition = try translation.translate(predicate.expression)
    return with { $0.add(condition) }
  }
}

extension EntitySchema {
  /// Returns the column of a key path that Foundation holds, which it does without saying Sendable.
  func column(ofPredicate keyPath: PartialKeyPath<E>) -> String? {
    attribute(ofPredicate: keyPath)?.column
  }

  /// Returns the attribute of such a key path.
  fileprivate func attribute(ofPredicate keyPath: PartialKeyPath<E>) -> EntityAttribute<E>? {
    attributes.first { ($0.keyPath as PartialKeyPath<E>) == keyPath }
  }
}
