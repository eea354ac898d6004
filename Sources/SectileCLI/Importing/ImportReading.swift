/// Something that rows are imported from: a text, or the tables of another database.
protocol ImportReading {
  /// What messages call it.
  var name: String { get }
  /// Whether values come with a type of their own.
  var isTyped: Bool { get }
  /// Whether values have to keep their storage class in a table that is made for them.
  var isExact: Bool { get }
  /// The types that its columns are declared with, by their names in lower case; a column that is
  /// not among them has none that could be relied on.
  var declaredTypes: [String: String] { get }
  /// What is counted while it is read.
  var progressUnit: Progress.Unit { get }

  /// Makes sure that it can be read twice.
  func makeRewindable() throws
  /// Goes back to the beginning.
  func rewind() throws
  /// Calls a closure every now and then while it is read, with how much was read of how much.
  func watch(_ body: @escaping (_ position: Int, _ count: Int?) throws -> Void)
  /// What messages call a row, by the number of its record.
  func place(_ number: Int) -> String
  /// Returns the input with names for columns that have none.
  func naming(_ names: [String]) -> Self
  /// Calls a closure with each record, from where the input stands.
  func read(_ body: (ImportRecord) throws -> Void) throws
}

extension ImportReading {
  var isExact: Bool { false }
  var declaredTypes: [String: String] { [:] }
  var progressUnit: Progress.Unit { .bytes }
  func naming(_ names: [String]) -> Self { self }
}
