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
    try update(to: try request.makePlan())
  }

  /// Changes the request, without blocking the caller's thread.
  ///
  /// See `update(to:)` for more information.
  public func update(to request: FetchRequest<Item>) async throws {
    try await update(to: try request.makePlan())
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
    let plan = try plan.readyForItems()
    let old = tracker.plan
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
    try change(to: plan)
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
    try change(to: plan)
  }

  private func change(to plan: FetchPlan) throws {
    try checkUsable()
    try makeLoad { $0.cycle(changingTo: plan, deliveredBy: items) }
  }

  /// Changes the plan, without blocking the caller's thread.
  ///
  /// Cancelling the task has it throw `CancellationError` where its turn has not come. See
  /// `update(to:)` for more information.
  public func update(to plan: FetchPlan) async throws {
    try await writer.blockingCalls.run { try update(to: plan) }
  }
}
