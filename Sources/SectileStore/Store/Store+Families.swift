public import SectileCore

extension Store {
  /// Returns live results of a request for each value of a field.
  ///
  /// ```swift
  /// let parcels = try store.family(of: FetchRequest<Parcel>().sort(by: \.weight), by: \.ownerID)
  /// let mine = try parcels.results(for: 7)
  /// ```
  ///
  /// - Parameters:
  ///   - request: What to fetch, in which order and sections.
  ///   - key: The field in whose value members differ.
  ///   - delivery: Where delegates are called.
  ///   - allows: Returns whether an item may be edited in a way: see
  ///     ``SectionedResults/allows(_:at:)``; nil allows everything.
  /// - Returns: The family, which has no members yet.
  /// - Throws: A ``StoreError``: `invalidRequest` for a request that makes no sense.
  public func family<E: Entity, Value: StorableValue>(
    of request: FetchRequest<E>, by key: (EntityFields<E>) -> FieldExpression<Value>,
    delivery: CallbackDelivery = .immediate,
    allows: (@Sendable (EditingCapability, ItemPath, E?) -> Bool)? = nil
  ) throws -> ResultsFamily<Value, E> {
    let field = key(.base)
    // What is wrong with the request is said at once.
    let valueCount = try request.makePlan().filter?.values.count ?? 0
    return ResultsFamily(of: field.form) { [self] (value: Value) in
      var plan = try request.filter { _ in field == value }.makePlan()
      let values = plan.filter?.values ?? []
      // For NULL none is bound.
      plan.familyValue = values.count == valueCount + 1 ? values.last : .null
      return makeResults(of: plan, as: .entity, delivery: delivery, allows)
    }
  }
}
