internal import Foundation
package import GRDB

extension Database {
  /// Makes those collations known that this connection does not know yet.
  ///
  /// Registering one again would make every prepared statement compile again.
  func registerMissing(_ collations: [TextCollation]) throws {
    guard !collations.isEmpty else {
      return
    }
    let names = try String.fetchAll(self, sql: "SELECT name FROM pragma_collation_list")
    let known = Set(names.map { $0.lowercased() })
    for collation in collations where !known.contains(collation.name.lowercased()) {
      register(collation)
    }
  }

  /// Makes a collation known to this connection; SQLite's own need nothing.
  package func register(_ collation: TextCollation) {
    guard let compare = collation.compare else {
      return
    }
    add(
      collation: DatabaseCollation(collation.name) { left, right in
        switch compare(left, right) {
        case ..<0: .orderedAscending
        case 0: .orderedSame
        default: .orderedDescending
        }
      })
  }
}
