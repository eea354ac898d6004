import SectileCore

// Plans of a family differ in one value, which is bound. What is found out about one of them, and
// its statements, serve the others with another value in its place.

extension FetchPlan {
  /// What stands for the value in the plan that all members of a family share: no value of a filter
  /// is this one by chance.
  static let anyValue = StoredValue.blob(Array("sectile: the value of a member".utf8))

  /// The plan that all members of its family share; nil where it stands alone, and where the value
  /// may decide about more than the rows that are wanted.
  var ofFamily: FetchPlan? {
    guard let familyValue, let last = filter?.values.indices.last,
      filter?.values[last] == familyValue, query == nil, limit == nil, offset == 0,
      aggregates.isEmpty, fullTextTables.isEmpty, filterOfRow == nil,
      filter?.values.contains(Self.anyValue) == false
    else { return nil }
    var plan = self
    plan.filter?.values[last] = Self.anyValue
    plan.familyValue = Self.anyValue
    return plan
  }

  /// Whether the value is part of nothing but the filter.
  var bindsFamilyInFilterAlone: Bool { dependencies.isEmpty && links.isEmpty && joins.isEmpty }

  /// Returns the plan of a member, of one that all members share.
  func ofMember(_ value: StoredValue) -> FetchPlan {
    var plan = self
    plan.filter = filter?.ofMember(value)
    plan.familyValue = value
    return plan
  }
}

extension SQLFragment {
  /// Returns the fragment with a member's value in the place of that of all members.
  func ofMember(_ value: StoredValue) -> SQLFragment {
    SQLFragment(sql, values.ofMember(value))
  }
}

extension [StoredValue] {
  /// Returns the values with a member's value in the place of that of all members.
  func ofMember(_ value: StoredValue) -> [StoredValue] {
    map { $0 == FetchPlan.anyValue ? value : $0 }
  }
}
