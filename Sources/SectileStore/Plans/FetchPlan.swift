package import SectileCore

/// What a fetch request means to SQLite: table and column names, SQL expressions, bound values.
///
/// The engine runs plans and knows no entities. ``FetchRequest`` is the typed face of a plan; tools
/// write plans by hand, on tables that no Swift type describes.
///
/// Every expression is written against the names of the plan's own FROM clause: the base table
/// under its own name, each join under its alias. The complete order is: section order, section
/// identity, sort terms, primary key. The last two parts make it total, so that equal rows never
/// change places by chance.
public struct FetchPlan: Hashable, Sendable {
  /// The base table (or view): one row of it is one item.
  ///
  /// With a ``query``, the name by which expressions call its rows; a table that happens to be
  /// called so is another one.
  public var table: String
  /// The SELECT whose rows take the place of the base table's; nil where there is a base table.
  public internal(set) var query: SQLFragment?
  /// The columns of the declared primary key, which is the identity of a row.
  public var keyColumns: [String]
  /// The columns an item is made of, in the order in which they are read.
  public var itemColumns: [String]
  /// The tables that expressions reach through to-one relationships, in the order of the FROM
  /// clause.
  public var joins: [Join] = []
  /// Which rows are wanted; nil for all.
  public var filter: SQLFragment?
  /// The same condition in words that cost less where rows are asked for by their keys; nil where
  /// there are none.
  package var filterOfRow: SQLFragment?
  /// The value in which the plans of a family differ, and the last of the filter's; NULL for the
  /// member of rows that have none, and nil for a plan that stands alone.
  package var familyValue: StoredValue?
  /// How rows are grouped; nil for one section that holds all of them.
  public var section: Section?
  /// The order inside a section, before the primary key.
  public var sort: [SortTerm] = []
  /// The column of whole numbers that ``sort`` consists of, where rows may be moved by writing it.
  public var orderColumn: String?
  /// At most how many rows the contents hold.
  public var limit: Int?
  /// How many rows are skipped before the first.
  public var offset: Int = 0
  /// How many items are read at once when one is asked for, and how many rows the first partial
  /// load delivers.
  public var batchSize: Int = 128
  /// What is worked out from the rows of each section, and of all of them.
  public var aggregates: [Aggregate] = []
  /// Which rows are aggregated where there is a limit or an offset.
  public var aggregateScope = AggregateScope.shown
  /// The full-text tables that ``filter`` asks about the base table's own row, one for each time.
  package var fullTextTables: [String] = []
  /// Whether the order, or what is wanted, depends on how well rows match a full-text query: on all
  /// rows.
  package var dependsOnRanks = false
  /// What else than the base table's rows decides about the contents.
  public var dependencies: [Dependency] = []
  /// Which columns relationships take for equal on the way from other tables to the base table.
  package var links: [RelationshipLink] = []
  /// Why rows may change that nobody writes: what the SQL says depends on the clock, for one; nil
  /// where it does not.
  ///
  /// Known of a plan with all that it reads: see ``followingWhatItReads(in:)``.
  package var reasonForUnwrittenChanges: String?
  /// What the rows hand to functions of time, as SQL; a row where that is the word `now` changes
  /// though nobody writes it.
  ///
  /// Known of a plan with all that it reads, as ``reasonForUnwrittenChanges`` is.
  package var timesOfRows: [String] = []
  /// Whether the key, the last that decides, compares by bytes whatever collation its columns have.
  package var comparesKeyByBytes = false
  /// How the key is compared where one row is asked for; see ``resolvingKey(on:)``.
  package var keyCollations = KeyCollations.own

  /// The key of a view in which no column tells rows apart: the place of a row among all the
  /// view's.
  ///
  /// A row that comes or goes moves those behind it to other places: their contents change, by this
  /// key.
  package static let placeColumn = "sectile place"

  /// Whether rows are told apart by their places.
  package var isByPlace: Bool { keyColumns == [Self.placeColumn] }

  /// The base table or view that the schema may know; nil with a ``query``, whose name the schema
  /// must not be asked about.
  package var storedTable: String? { query == nil ? table : nil }

  /// The rows of the base table, view or query in a FROM clause, under their own name.
  ///
  /// The values of a query stand behind those of the SELECT list, and before those of WHERE.
  package var source: SQLFragment {
    let rows = query?.inParentheses ?? SQLFragment(SQLName.table(table))
    let name = SQLFragment(" AS \(SQLName.quote(table))")
    guard isByPlace else { return query == nil ? rows : rows + name }
    let place = "row_number() OVER () AS \(SQLName.quote(Self.placeColumn))"
    return SQLFragment("(SELECT \(place), * FROM ") + rows + SQLFragment(")") + name
  }

  /// Creates a plan that fetches all rows of a table in the order of their key.
  public init(table: String, keyColumns: [String], itemColumns: [String]) {
    self.table = table
    self.keyColumns = keyColumns
    self.itemColumns = itemColumns
  }
}
