internal import SectileCore

extension SectionedResults where Item: Entity {
  /// Changes the request.
  ///
  /// The delegate gets the difference between the two results, not a reload. On a file, others
  /// write while it is read; what they commit is a further part of this load.
  ///
  /// ```swift
  /// try results.update(to: request.limit(200))  // fetch more
  /// ```
  ///
  /// - Throws: A ``StoreError``: `invalidRequest` for a request that makes no sense, `storeClosed`,
  ///   `reentrantAccess`. What reading meets is thrown and delivered as by `load()`, and the
  ///   results stay with the request they had.
  public func update(to request: FetchRequest<Item>) throws {
    try change(to: try request.makePlan().readyToReplace(tracker.plan), of: request)
  }

  /// Changes the request, without blocking the caller's thread.
  ///
  /// See `update(to:)` for more information.
  public func update(to request: FetchRequest<Item>) async throws {
    let plan = try request.makePlan().readyToReplace(tracker.plan)
    try await writer.blockingCalls.run { try change(to: plan, of: request) }
  }

  /// Changes the request to what a closure makes of the one that the results have when its turn has
  /// come: after changes that were asked for before, and before those that are asked for later.
  ///
  /// - Parameter change: Returns the request. Called where the load is made, outside of every lock.
  /// - Throws: As `update(to:)`; `invalidRequest` where the results were
  ///   given a plan. What `change` throws is thrown and delivered as what reading meets.
  func update(
    changing change: @escaping @Sendable (FetchRequest<Item>) throws -> FetchRequest<Item>
  ) async throws {
    try await writer.blockingCalls.run {
      try checkUsable()
      try makeLoad { load in
        load.cycle(deliveredBy: items) {
          guard let present = load.results.request(as: FetchRequest<Item>.self) else {
            throw StoreError(
              .invalidRequest,
              message: "The results of \(load.results.plan.table) have a plan, and no request.",
              hint: "Change them by update(to:) with a request before.")
          }
          let request = try change(present)
          let plan = try request.makePlan().readyToReplace(load.results.plan)
          return .plan(plan, of: request)
        }
      }
    }
  }
}

extension SectionedResults {
  /// Changes the plan.
  ///
  /// Results that were cancelled, or not loaded yet, follow commits from then on.
  ///
  /// The delegate gets the difference, as for a request.
  ///
  /// - Throws: A ``StoreError``: `invalidRequest` for a plan that makes no sense, or that has
  ///   another table, query, key or item columns than the old one; `storeClosed`,
  ///   `reentrantAccess`; what reading meets.
  public func update(to plan: FetchPlan) throws {
    try change(to: try plan.readyToReplace(tracker.plan), of: nil)
  }

  /// Changes the plan of selected columns to one with the same of them.
  ///
  /// The rows are compared by digests, so the rest of the SELECT may be another.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - select: The SELECT by which its items are read by their keys.
  /// - Throws: As ``update(to:)-(FetchPlan)``.
  func update(to plan: FetchPlan, readBy select: SQLFragment) throws {
    let old = tracker.plan
    guard
      (plan.table, plan.keyColumns, plan.itemColumns)
        == (old.table, old.keyColumns, old.itemColumns), select == items.reader.query
    else {
      throw StoreError(
        .invalidRequest,
        message:
          "Results of columns selected of \(old.table) cannot become those of other columns, or of "
          + "groups of other rows.",
        hint: "Refine the request that they were made of, by refined(by:), or make new results.")
    }
    try change(to: plan, of: nil)
  }

  private func change(to plan: FetchPlan, of request: (any Sendable)?) throws {
    try checkUsable()
    try makeLoad { $0.cycle(deliveredBy: items) { .plan(plan, of: request) } }
  }

  /// Changes the plan, without blocking the caller's thread.
  ///
  /// Cancelling the task has it throw `CancellationError` where its turn has not come. See
  /// `update(to:)` for more information.
  public func update(to plan: FetchPlan) async throws {
    try await writer.blockingCalls.run { try update(to: plan) }
  }
}

extension FetchPlan {
  /// Returns the plan ready to take the place of another one of the same results.
  ///
  /// - Throws: `invalidRequest` for a plan that makes no sense, or that has another table, query,
  ///   key or item columns than the old one.
  fileprivate func readyToReplace(_ old: FetchPlan) throws(StoreError) -> FetchPlan {
    let plan = try readyForItems()
    guard
      (plan.table, plan.query, plan.keyColumns, plan.itemColumns)
        == (old.table, old.query, old.keyColumns, old.itemColumns)
    else {
      throw StoreError(
        .invalidRequest,
        message:
          "The plan of results of \(old.table) cannot become one of \(plan.table) with other "
          + "columns.",
        hint: "Keep the table or query, the key columns and the item columns, or make new results.")
    }
    return plan
  }
}
