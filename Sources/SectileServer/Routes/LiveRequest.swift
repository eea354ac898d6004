#if Server
  public import Sectile

  /// A request that clients may ask for by a name: what ``LiveRoutes`` serve.
  public struct LiveRequest: Sendable {
    let plan: FetchPlan

    /// Creates one of a fetch request; clients see all columns of its entity.
    ///
    /// - Parameter request: The request.
    /// - Throws: A `StoreError`: `invalidRequest` for a request that makes no sense.
    public init<E: Entity>(_ request: FetchRequest<E>) throws {
      self.init(plan: try request.makePlan())
    }

    /// Creates one of a plan; clients see its item columns.
    public init(plan: FetchPlan) { self.plan = plan }
  }
#endif
