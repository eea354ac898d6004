internal import Foundation
package import GRDB

extension Database {
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
