extension StoreError.Code {
  /// The status with which a service answers over HTTP where nothing else is known of the error.
  ///
  /// | Status | Codes | What it says |
  /// |---|---|---|
  /// | 400 | `invalidRequest`, `unsupportedPredicate` | the client asks for what makes no sense |
  /// | 403 | `notAuthorized`, `notEditable` | it is understood, and not allowed |
  /// | 404 | `rowNotFound`, `noSuchFile` | there is no such row, or no such store |
  /// | 409 | `uniqueConstraint`, `foreignKeyConstraint`, `editConflict`, `itemChangedElsewhere`, `sectionFull`, `notUndoable`, `backupRefused` | what is stored stands against it: read again, and decide anew |
  /// | 413 | `tooBig` | a value is larger than SQLite stores |
  /// | 422 | `notNullConstraint`, `checkConstraint`, `otherConstraint`, `encodingFailed` | the values do not do, whatever is stored |
  /// | 503 | `busy`, `interrupted`, `schemaChanged`, `diskFull`, `readOnly`, `outOfMemory`, `cannotOpen`, `fileReplaced`, `storeClosed` | not now: see ``suggestedRetryDelay`` |
  /// | 500 | all others | a mistake of the program, or a damaged file: somebody has to look |
  ///
  /// It is a number, so that a service of any framework can use it:
  ///
  /// ```swift
  /// } catch let error as StoreError {
  ///   return Response(status: error.code.suggestedStatus)
  /// }
  /// ```
  ///
  /// A route that knows more decides by itself: where clients send SQL, `statementFailed` is their
  /// mistake, say. The middleware `StoreErrorAnswers` of the module `SectileServer` answers with
  /// this number.
  public var suggestedStatus: Int {
    switch kind {
    case .invalidRequest, .unsupportedPredicate: 400
    case .notAuthorized, .notEditable: 403
    case .rowNotFound, .noSuchFile: 404
    case .uniqueConstraint, .foreignKeyConstraint, .editConflict, .itemChangedElsewhere,
      .sectionFull, .notUndoable, .backupRefused:
      409
    case .tooBig: 413
    case .notNullConstraint, .checkConstraint, .otherConstraint, .encodingFailed: 422
    case .busy, .interrupted, .schemaChanged, .diskFull, .readOnly, .outOfMemory, .cannotOpen,
      .fileReplaced, .storeClosed:
      503
    case .notADatabase, .corrupt, .fileLinked, .ioError, .statementFailed, .valueCount,
      .decodingFailed, .schemaMismatch, .sectionOrderAmbiguous, .aggregateTooLarge, .duplicateKey,
      .connectionTaken, .reentrantAccess, .transactionEnded, .transactionInactive,
      .migrationName, .migrationUnreadable, .migrationEmpty, .migrationDuplicate,
      .migrationChanged, .migrationMissing, .migrationOutOfOrder, .migrationNewer,
      .migrationFailed, .migrationTransaction, .migrationForeignKeys, .migrationPending,
      .migrationTarget, .migrationBaseline, .noChangeLog, .changeLogNewer, .collationChanged:
      500
    }
  }

  /// After how long it may be worth trying again, for the field `Retry-After`; nil where the same
  /// call would fail again.
  ///
  /// One second where another connection, a restart or a cancelled statement is in the way; half a
  /// minute where somebody has to free the disk, memory or descriptors first, or to put a file in
  /// its place.
  ///
  /// It is there for the codes whose ``suggestedStatus`` is 503, and for no others.
  public var suggestedRetryDelay: Duration? {
    switch kind {
    case .busy, .interrupted, .schemaChanged, .storeClosed: .seconds(1)
    case .diskFull, .readOnly, .outOfMemory, .cannotOpen, .fileReplaced: .seconds(30)
    default: nil
    }
  }
}
