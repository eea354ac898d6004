/// How a store opens its connections: every pragma Sectile sets, with its default and the reason.
///
/// ```swift
/// var configuration = StoreConfiguration()
/// configuration.busyTimeout = .seconds(30)
/// let store = try Store.open(at: "packages.sqlite", configuration: configuration)
/// ```
///
/// Two settings are not a choice. File stores run in WAL, because readers then never wait for the
/// writer. Double-quoted strings are refused, because a misspelt column would silently become text.
public struct StoreConfiguration: Sendable {
  /// A name for the connections in debuggers and logs.
  public var label: String?

  /// Whether the store refuses to write.
  ///
  /// The file must exist then, and is never changed.
  public var isReadOnly = false

  /// Whether the file is taken for one that nobody changes: SQLite neither locks it nor looks at a
  /// log beside it, and what others write is not noticed.
  ///
  /// For files that are only read, on a medium or in a folder that cannot be written.
  package var isImmutable = false

  /// `PRAGMA synchronous`, ``SynchronousMode/full`` by default: with WAL, `normal` loses
  /// acknowledged commits at a power cut.
  public var synchronous = SynchronousMode.full

  /// `PRAGMA busy_timeout`: how long a call waits for another connection's lock.
  ///
  /// Five seconds by default; zero fails at once.
  public var busyTimeout = Duration.seconds(5)

  /// `PRAGMA foreign_keys`, on by default, against SQLite's own default: a schema that declares
  /// foreign keys means them.
  public var enforcesForeignKeys = true

  /// `PRAGMA trusted_schema`, on by default, as in SQLite.
  ///
  /// Without it, some versions of SQLite (3.40 for one) refuse triggers that keep a full-text table
  /// up to date, and files with functions of JSON in a generated column or an index. Turn it off
  /// for files from elsewhere, so that their views and triggers cannot reach functions and tables
  /// with side effects.
  public var trustsSchema = true

  /// Whether a schema that is not to be trusted is so all the same on connections on which nothing
  /// that it can call has a side effect: see ``SchemaTrust``.
  ///
  /// For stores whose connections nobody else gets, who could register functions.
  package var trustsHarmlessSchema = false

  /// `PRAGMA cache_size`, in bytes for each connection; 16 MiB by default.
  ///
  /// Memory is taken as pages are read, not at once.
  public var cacheByteCount = 16 * 1024 * 1024

  /// `PRAGMA wal_autocheckpoint`, in pages: after how much log a commit copies it into the file.
  ///
  /// 1,000 by default, as in SQLite; zero leaves it to `Store.checkpoint(_:)`.
  public var automaticCheckpointPageCount = 1_000

  /// Other pragmas, which every connection runs when it is opened; values by names.
  ///
  /// ```swift
  /// configuration.pragmas = ["secure_delete": "ON", "temp_store": "MEMORY"]
  /// ```
  ///
  /// Two differ from SQLite's defaults unless they are given: `journal_size_limit`, what stays of
  /// the log file after a checkpoint, is 64 MiB, so that one large transaction does not keep its
  /// disk space for ever. `mmap_size` is zero, because a read error in mapped memory kills the
  /// process, while an ordinary read error is a ``StoreError``.
  ///
  /// A value is a word or an integer. Opening a store fails with `cannotOpen` where a value is
  /// something else, or a pragma has a property here or is one that the store relies on, such as
  /// `journal_mode`.
  public var pragmas: [String: String] = [:]

  /// How many reads run at a time in a store on a file; four by default.
  ///
  /// A store in memory has one connection for everything.
  public var readerCount = 4

  /// How many bytes a value or a row may have, one that an expression makes included; nil for
  /// SQLite's own limit.
  ///
  /// A function that makes a value cannot be interrupted: this bounds what it takes, in time and
  /// memory.
  package var valueByteCountLimit: Int?

  /// Whether functions that compare each part of one text with another refuse long ones: see
  /// ``TextWork``.
  package var boundsTextWork = false

  /// Collations written in Swift, which every connection learns; ``TextCollation/people`` and those
  /// of languages are such.
  public var collations: [TextCollation] = []

  /// How often a store on a file looks whether another process has written.
  ///
  /// 250 milliseconds by default; `nil` never looks. A look reads one page that is nearly always
  /// cached.
  public var externalChangePolling: Duration? = .milliseconds(250)

  /// Whether who opened the store calls `checkForExternalChanges` all the time.
  package var isLookedAtByOwner = false

  /// How many bytes of rows one transaction of `Store.writeUndoably(author:tag:_:)` may change,
  /// counted as they were and as they are; 64 MiB by default.
  ///
  /// They are kept in memory for as long as the ``Store/Undo`` is. A transaction that changes more
  /// is rolled back.
  public var undoByteCountLimit = 64 * 1024 * 1024

  /// How much of the file's change log is kept, where it has one: see ``Store/changeLog``.
  public var changeLogRetention = ChangeLogRetention()

  /// How often live results in a file with a change log read everything again, although it names
  /// what was committed; never by default.
  ///
  /// That finds what a program has written past the log's triggers, and delivers it.
  /// ``Store/Statistics`` counts the results that were found to differ; results whose SQL asks for
  /// the time differ without a fault. An audit costs what a load reads, and is made with a look as
  /// often as ``externalChangePolling`` says.
  public var changeLogAudit: Duration?

  /// Who hears what the store does, for logs and metrics: see ``StoreEvent``.
  ///
  /// It is called on a thread of its own, for one event after another, and nobody waits for it: it
  /// may use the store, and one that is slow loses events, and is told how many. Of adopted
  /// connections neither waiting nor slow statements are told.
  public var onEvent: (@Sendable (StoreEvent) -> Void)?

  /// How long a statement may take before ``onEvent`` hears of it; 100 milliseconds by default,
  /// `nil` for ever.
  ///
  /// Where something listens, SQLite takes the time of each statement, about a microsecond.
  public var slowStatementThreshold: Duration? = .milliseconds(100)

  /// Creates a configuration with the defaults above.
  public init() {}
}
