/// What can be set in the shell, by options and dot commands.
struct ShellSettings {
  /// How many rows of a statement a terminal shows where nothing else was said.
  static let terminalRowLimit = 1000

  /// How rows are written.
  var style = RowStyle()
  /// How many rows of a statement are shown at most; zero for all.
  var rowLimit = 0
  /// Whether each statement's time is told.
  var showsTime = false
  /// Whether each statement's query plan is shown before its rows.
  var showsPlan = false
  /// Whether the number of changed rows is told.
  var showsChanges = true
  /// Whether what is longer than the screen goes through the pager.
  var usesPager = true
  /// Whether what each statement took is told.
  var showsStatistics = false
  /// Whether the first failure ends what runs; nil for the input's own rule: it ends a script, but
  /// not what was typed.
  var bails: Bool?
  /// Whether the keys of a prompt are those of vi; nil for what libedit's own settings say.
  var usesVi: Bool?
}
