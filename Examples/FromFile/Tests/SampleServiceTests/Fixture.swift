/// What the tests of this service know of its tables.
enum Fixture {
  /// The list that is followed.
  static let list = "author"
  /// What changes it: a commit that takes one of its rows; nil where the fixture has none to take.
  static let change: String? =
    #"DELETE FROM "author" WHERE ("id") IN (SELECT "id" FROM "author" LIMIT 1)"#
}
