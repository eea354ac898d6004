import SectileCore

/// Checks that a scan hands out each row once, as it is at its rank, and always in the same order.
///
/// - Returns: What is wrong, one sentence each.
func checkScan<Snapshot: DataSourceSnapshot>(_ snapshot: Snapshot) throws -> [String]
where Snapshot.Item: Equatable {
  var violations: [String] = []
  var order: [Int] = []
  try snapshot.scan { id, item, rank in
    order.append(rank)
    guard (0..<snapshot.numberOfItems).contains(rank) else {
      violations.append("\(id) has the rank \(rank)")
      return
    }
    let path = snapshot.path(atRank: rank)
    let expected = (snapshot.id(at: path), try snapshot.item(at: path))
    if expected.0 != id || expected.1 != item {
      violations.append("\(id), \(item) is \(expected) by the rank \(rank)")
    }
  }
  if order.sorted() != Array(0..<snapshot.numberOfItems) {
    violations.append("the ranks are \(order)")
  }
  var again: [Int] = []
  try snapshot.scan { _, _, rank in again.append(rank) }
  if order != again { violations.append("the second time the ranks are \(again)") }
  return violations
}
