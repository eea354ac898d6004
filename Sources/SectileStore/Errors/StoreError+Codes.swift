extension StoreError {
  /// A kind of failure.
  ///
  /// Kinds may be added in any release, so compare with `==`.
  public struct Code: Hashable, Sendable {
    let kind: Kind

    private init(_ kind: Kind) {
      self.kind = kind
    }

    enum Kind: String {
      case cannotOpen, notADatabase, corrupt, fileReplaced, fileLinked, busy, readOnly, diskFull,
        ioError,
        outOfMemory, noSuchFile
      case uniqueConstraint, foreignKeyConstraint, notNullConstraint, checkConstraint
      case otherConstraint
      case interrupted, notAuthorized, schemaChanged, tooBig, statementFailed, valueCount
      case decodingFailed, encodingFailed, rowNotFound, schemaMismatch
      case invalidRequest, unsupportedPredicate
      case sectionOrderAmbiguous, aggregateTooLarge, duplicateKey, itemChangedElsewhere,
        connectionTaken
      case editConflict, notEditable, sectionFull, notUndoable
      case reentrantAccess, transactionEnded, transactionInactive, storeClosed
      case migrationName, migrationUnreadable, migrationEmpty, migrationDuplicate
      case migrationChanged, migrationMissing, migrationOutOfOrder, migrationNewer
      case migrationFailed, migrationTransaction, migrationForeignKeys, migrationPending
      case migrationTarget, migrationBaseline
      case backupRefused
      case noChangeLog, changeLogNewer
      case collationChanged
    }
  }
}

extension StoreError.Code {
  /// Whether a constraint of the schema refused a row.
  public var isConstraint: Bool {
    switch kind {
    case .uniqueConstraint, .foreignKeyConstraint, .notNullConstraint, .checkConstraint,
      .otherConstraint:
      true
    default:
      false
    }
  }
}

extension StoreError.Code: CustomStringConvertible {
  /// The code's name.
  public var description: String { kind.rawValue }
}

// MARK: - The file

extension StoreError.Code {
  /// The path leads to nothing that can be a database: a directory, a missing folder, no access.
  public static let cannotOpen = Self(.cannotOpen)
  /// There is no file of this name, and none may be created: a pool of stores was asked for a name
  /// that has none.
  public static let noSuchFile = Self(.noSuchFile)
  /// The file holds something else than a SQLite database.
  public static let notADatabase = Self(.notADatabase)
  /// SQLite found the file's structure broken.
  public static let corrupt = Self(.corrupt)
  /// The file, or the log beside it, was deleted or renamed, or another one took its name, while it
  /// was open.
  public static let fileReplaced = Self(.fileReplaced)
  /// The file has several names (hard links), and is not written: each name has a log of its own.
  public static let fileLinked = Self(.fileLinked)
  /// Another connection held a lock for longer than the busy timeout.
  public static let busy = Self(.busy)
  /// The file, its folder or the store's configuration allows no writing.
  public static let readOnly = Self(.readOnly)
  /// The disk, or the database's page limit, is full.
  public static let diskFull = Self(.diskFull)
  /// The operating system failed to read or write.
  public static let ioError = Self(.ioError)
  /// A backup would be written over its original, or over a file that is to be kept.
  public static let backupRefused = Self(.backupRefused)
  /// SQLite could not allocate memory.
  public static let outOfMemory = Self(.outOfMemory)
  /// A file that is only read has indexes in the order of a language as another release of the
  /// system knew it.
  public static let collationChanged = Self(.collationChanged)
}

// MARK: - The statement

extension StoreError.Code {
  /// A row with this key exists: UNIQUE or PRIMARY KEY.
  public static let uniqueConstraint = Self(.uniqueConstraint)
  /// A row's parent is missing, or a removed parent still has children.
  public static let foreignKeyConstraint = Self(.foreignKeyConstraint)
  /// NULL in a NOT NULL column.
  public static let notNullConstraint = Self(.notNullConstraint)
  /// A CHECK condition is false.
  public static let checkConstraint = Self(.checkConstraint)
  /// Another rule of the schema refused: a trigger's RAISE, a STRICT table's data type.
  public static let otherConstraint = Self(.otherConstraint)
  /// The statement was interrupted, for one by cancelling its task.
  public static let interrupted = Self(.interrupted)
  /// An authorizer refused the statement.
  public static let notAuthorized = Self(.notAuthorized)
  /// The schema changed while the statement ran.
  public static let schemaChanged = Self(.schemaChanged)
  /// A value or a row is larger than SQLite's limit.
  public static let tooBig = Self(.tooBig)
  /// SQLite refused the SQL text: a syntax error, an unknown table or column.
  public static let statementFailed = Self(.statementFailed)
  /// There are more or fewer values than `?` marks.
  public static let valueCount = Self(.valueCount)
}

// MARK: - Values and entities

extension StoreError.Code {
  /// A stored value does not fit its Swift type, or text is not UTF-8.
  public static let decodingFailed = Self(.decodingFailed)
  /// A Swift value cannot be stored.
  public static let encodingFailed = Self(.encodingFailed)
  /// No row has the key.
  public static let rowNotFound = Self(.rowNotFound)
  /// An entity and its table differ.
  public static let schemaMismatch = Self(.schemaMismatch)
}

// MARK: - The access

extension StoreError.Code {
  /// `read` or `write` was called inside `read` or `write` of the same store.
  public static let reentrantAccess = Self(.reentrantAccess)
  /// The transaction ended before its closure did.
  public static let transactionEnded = Self(.transactionEnded)
  /// A transaction was used after its closure returned.
  public static let transactionInactive = Self(.transactionInactive)
  /// The store is closed.
  public static let storeClosed = Self(.storeClosed)
}

// MARK: - The request

extension StoreError.Code {
  /// A fetch request makes no sense: a negative limit, a property that is no attribute.
  public static let invalidRequest = Self(.invalidRequest)
  /// A Foundation predicate or sort descriptor says what SQL cannot say.
  public static let unsupportedPredicate = Self(.unsupportedPredicate)
}

// MARK: - Results

extension StoreError.Code {
  /// A sum of integers is none of 64 bits.
  public static let aggregateTooLarge = Self(.aggregateTooLarge)
  /// The rows of one section disagree about where the section stands.
  public static let sectionOrderAmbiguous = Self(.sectionOrderAmbiguous)
  /// Two rows of a request have one key.
  public static let duplicateKey = Self(.duplicateKey)
  /// A row was changed by another process, and its changeset has not arrived.
  public static let itemChangedElsewhere = Self(.itemChangedElsewhere)
  /// A connection to adopt has a pre-update hook already, another store's for one.
  public static let connectionTaken = Self(.connectionTaken)
}

// MARK: - Editing what results show

extension StoreError.Code {
  /// A row that is edited was changed since it was shown; one that is put back, since it was
  /// written.
  public static let editConflict = Self(.editConflict)
  /// Rows cannot be edited in this way: those of a view, or whose order is nowhere written.
  public static let notEditable = Self(.notEditable)
  /// A section has as many rows as the results allow it.
  public static let sectionFull = Self(.sectionFull)
  /// A transaction cannot be undone: it changed the schema or virtual tables that are not put back,
  /// or the tables have changed since.
  public static let notUndoable = Self(.notUndoable)
}

// MARK: - The change log

extension StoreError.Code {
  /// The file has no change log: see `Store.changeLog`.
  public static let noChangeLog = Self(.noChangeLog)
  /// The file's change log was made by a newer version.
  public static let changeLogNewer = Self(.changeLogNewer)
}

// MARK: - Migrations

extension StoreError.Code {
  /// A file's name does not follow `V<version>_<verb>_<noun>.sql`.
  public static let migrationName = Self(.migrationName)
  /// A migration, or the folder of them, cannot be read as UTF-8 text.
  public static let migrationUnreadable = Self(.migrationUnreadable)
  /// A migration holds no statement.
  public static let migrationEmpty = Self(.migrationEmpty)
  /// Two migrations have one version.
  public static let migrationDuplicate = Self(.migrationDuplicate)
  /// A migration was edited after it had been applied.
  public static let migrationChanged = Self(.migrationChanged)
  /// A migration that had been applied is no longer among the program's files.
  public static let migrationMissing = Self(.migrationMissing)
  /// A new migration has a lower version than one that was applied already.
  public static let migrationOutOfOrder = Self(.migrationOutOfOrder)
  /// The database was migrated by a newer program.
  public static let migrationNewer = Self(.migrationNewer)
  /// A migration's SQL failed; nothing of the file stays.
  public static let migrationFailed = Self(.migrationFailed)
  /// A migration contains BEGIN, COMMIT, END or ROLLBACK.
  public static let migrationTransaction = Self(.migrationTransaction)
  /// A migration would leave rows without their parents.
  public static let migrationForeignKeys = Self(.migrationForeignKeys)
  /// The database is read-only and migrations are pending.
  public static let migrationPending = Self(.migrationPending)
  /// The version to migrate to is that of no file, or a higher one is applied.
  public static let migrationTarget = Self(.migrationTarget)
  /// A database without a ledger has tables of the baseline, and they are not as its files make
  /// them.
  public static let migrationBaseline = Self(.migrationBaseline)
}
