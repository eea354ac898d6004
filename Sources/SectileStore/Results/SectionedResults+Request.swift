internal import SectileCore

extension SectionedResults where Item: Entity {
  /// Changes the request.
  ///
  /// The delegate gets the difference between the two results, not a reload.
  ///
  /// ```swift
  /// try results.setRequest(request.limit(200))  // fetch more
  /// ```
  ///
  /// - Throws: A ``StoreError``: `invalidRequest` for a request that makes no sense, `storeClosed`,
  ///   `reentrantAccess`. What reading meets is delivered as a failure, and the results stay with
  ///   the request they had.
  public func setRequest(_ request: FetchRequest<Item>) throws {
    try setPlan(try request.makePlan())
  }
}

extension SectionedResults {
  /// Changes the plan.
  ///
  /// See ``setRequest(_:)`` for more information.
  ///
  /// - Precondition: The new plan has the table, key and item columns of the old one.
  public func setPlan(_ plan: FetchPlan) throws {
    try checkUsable()
    tracker.deliveryHub.resume()
    tracker.deliveryHub.submit(tracker.requestCycle(plan, writer))
    tracker.deliveryHub.flush()
  }
}
