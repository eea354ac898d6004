import GRDBSQLite
import Testing

@testable import SectileStore

struct SQLiteReleaseTests {
  @Test(arguments: [
    (SQLiteRelease(3, 6, 23), false), (SQLiteRelease(3, 7, 0), true),
    (SQLiteRelease(3, 40, 1), true),
    (SQLiteRelease(3, 43, 2), true), (SQLiteRelease(3, 44, 0), true),
    (SQLiteRelease(3, 44, 5), true),
    (SQLiteRelease(3, 44, 6), false), (SQLiteRelease(3, 44, 7), false),
    (SQLiteRelease(3, 45, 0), true), (SQLiteRelease(3, 49, 2), true),
    (SQLiteRelease(3, 50, 0), true),
    (SQLiteRelease(3, 50, 6), true), (SQLiteRelease(3, 50, 7), false),
    (SQLiteRelease(3, 51, 0), true), (SQLiteRelease(3, 51, 2), true),
    (SQLiteRelease(3, 51, 3), false),
    (SQLiteRelease(3, 52, 0), false), (SQLiteRelease(3, 53, 0), false),
    (SQLiteRelease(4, 7, 0), false),
    (SQLiteRelease(2, 8, 17), false),
  ])
  func theReleasesWithTheWALResetBugAreKnown(_ release: SQLiteRelease, _ hasBug: Bool) {
    #expect(release.hasWALResetBug == hasBug, "\(release)")
  }

  @Test func theLinkedReleaseIsTheLibrarys() {
    #expect(SQLiteRelease.linked.description == String(cString: sqlite3_libversion()))
  }
}
