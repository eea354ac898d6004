// Former names, for those who used them before the first release.

/// The former name of ``UpdateStrategy``.
@available(*, deprecated, renamed: "UpdateStrategy")
public typealias MaintenanceStrategy = UpdateStrategy

/// The former name of ``ColumnEncoding``.
@available(*, deprecated, renamed: "ColumnEncoding")
public typealias ColumnForm = ColumnEncoding

/// The former name of ``UntypedRow``.
@available(*, deprecated, renamed: "UntypedRow")
public typealias PlanItem = UntypedRow

/// The former name of ``FetchPlan/Aggregate``.
@available(*, deprecated, renamed: "FetchPlan.Aggregate")
public typealias PlanAggregate = FetchPlan.Aggregate

/// The former name of ``FetchPlan/Column``.
@available(*, deprecated, renamed: "FetchPlan.Column")
public typealias PlanColumn = FetchPlan.Column

/// The former name of ``FetchPlan/Dependency``.
@available(*, deprecated, renamed: "FetchPlan.Dependency")
public typealias PlanDependency = FetchPlan.Dependency

/// The former name of ``FetchPlan/Join``.
@available(*, deprecated, renamed: "FetchPlan.Join")
public typealias PlanJoin = FetchPlan.Join

/// The former name of ``FetchPlan/Section``.
@available(*, deprecated, renamed: "FetchPlan.Section")
public typealias PlanSection = FetchPlan.Section

/// The former name of ``FetchPlan/SortTerm``.
@available(*, deprecated, renamed: "FetchPlan.SortTerm")
public typealias PlanSortTerm = FetchPlan.SortTerm

/// The former name of ``FetchPlan/AggregateScope``.
@available(*, deprecated, renamed: "FetchPlan.AggregateScope")
public typealias AggregateScope = FetchPlan.AggregateScope

/// The former name of ``Migrations/File``.
@available(*, deprecated, renamed: "Migrations.File")
public typealias MigrationFile = Migrations.File

/// The former name of ``MigrationStatus/AppliedMigration``.
@available(*, deprecated, renamed: "MigrationStatus.AppliedMigration")
public typealias AppliedMigration = MigrationStatus.AppliedMigration

/// The former name of ``StoreError/SQLiteFailure``.
@available(*, deprecated, renamed: "StoreError.SQLiteFailure")
public typealias SQLiteFailure = StoreError.SQLiteFailure

extension FieldExpression {
  /// The former name of `isIdentical(to:)`.
  @available(*, deprecated, renamed: "isIdentical(to:)")
  public func isSame(as other: FieldExpression<Value>) -> FieldExpression<Bool> {
    isIdentical(to: other)
  }
}

extension FieldExpression where Value: StorableValue {
  /// The former name of `isIdentical(to:)`.
  @available(*, deprecated, renamed: "isIdentical(to:)")
  public func isSame(as value: Value) -> FieldExpression<Bool> { isIdentical(to: value) }
}

extension Store.ChangeLog.Status {
  /// The former name of ``Store/ChangeLog/Status/UnloggedTable``.
  @available(*, deprecated, renamed: "UnloggedTable")
  public typealias Untracked = UnloggedTable
}

extension Store.Statistics {
  /// The former name of ``Store/Statistics/auditMismatchCount``.
  @available(*, deprecated, renamed: "auditMismatchCount")
  public var auditFindCount: Int { auditMismatchCount }
}

extension StoreEvent {
  /// The former name of ``StoreEvent/RefetchReason``.
  @available(*, deprecated, renamed: "RefetchReason")
  public typealias ResyncReason = RefetchReason
}

extension UpdateStrategy.Kind {
  /// The former name of ``UpdateStrategy/Kind/indexLookup``.
  @available(*, deprecated, renamed: "indexLookup")
  public static var seeking: Self { indexLookup }

  /// The former name of ``UpdateStrategy/Kind/binarySearch``.
  @available(*, deprecated, renamed: "binarySearch")
  public static var searching: Self { binarySearch }
}
