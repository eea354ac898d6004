/// What makes questions exact: each rule keeps a row from being missed.
///
/// A test takes one out at a time, and has to see a row that is missed.
package enum QuestionRule: String, CaseIterable, Sendable {
  /// Tables that are touched together are asked about together, by their former rows.
  case former
  /// A LEFT JOIN becomes a JOIN where it introduces touched rows.
  ///
  /// Without it every row of the left side is answered.
  case inner
  /// Conditions on a nullable side that can change are left out.
  case nullable
  /// One occurrence of a table is asked about at a time, the others are as they are now.
  case occurrence
  /// What is computed of many rows is not fixed by one of them.
  case having
  /// Conditions with a query over any touched table are left out.
  case negative
  /// EXCEPT and INTERSECT are asked about arm by arm.
  case setOperation
  /// One NULL turns NOT IN off for all rows.
  case notIn
  /// Of a window function, what its window is partitioned by is the key.
  case partition
  /// Columns of a nullable side are left out of the key.
  case nullKey
  /// A limit inside decides about all columns of its query.
  case limit
  /// Arms of a compound that compare otherwise.
  case arms
  /// DISTINCT, GROUP BY and UNION choose one of several spellings.
  case spelling
}
