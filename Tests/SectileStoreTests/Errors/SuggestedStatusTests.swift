import SectileStore
import Testing

/// What a service answers where nothing else is known of an error.
@Suite struct SuggestedStatusTests {
  private static let statuses: [(code: StoreError.Code, status: Int)] = [
    (.invalidRequest, 400), (.unsupportedPredicate, 400), (.notAuthorized, 403),
    (.notEditable, 403), (.rowNotFound, 404), (.noSuchFile, 404), (.uniqueConstraint, 409),
    (.foreignKeyConstraint, 409), (.editConflict, 409), (.itemChangedElsewhere, 409),
    (.sectionFull, 409), (.notUndoable, 409), (.backupRefused, 409), (.tooBig, 413),
    (.notNullConstraint, 422), (.checkConstraint, 422), (.otherConstraint, 422),
    (.encodingFailed, 422), (.statementFailed, 500), (.decodingFailed, 500), (.corrupt, 500),
    (.ioError, 500), (.migrationFailed, 500), (.noChangeLog, 500), (.busy, 503),
    (.interrupted, 503), (.schemaChanged, 503), (.diskFull, 503), (.readOnly, 503),
    (.outOfMemory, 503), (.cannotOpen, 503), (.fileReplaced, 503), (.storeClosed, 503),
  ]

  @Test func codesHaveAStatus() {
    for (code, status) in Self.statuses {
      #expect(code.suggestedStatus == status, "\(code)")
      // Who is told to come back is told when, and nobody else is.
      #expect((code.suggestedRetryDelay != nil) == (status == 503), "\(code)")
    }
  }

  @Test func errorsOfAStoreHaveTheirStatus() throws {
    let store = try Store.inMemory()
    try store.write {
      try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER CHECK (n > 0))")
    }
    func code(_ sql: String) -> StoreError.Code? {
      do {
        try store.write { try $0.execute(sql) }
        return nil
      } catch { return (error as? StoreError)?.code }
    }
    #expect(code("INSERT INTO item VALUES (1, 1)") == nil)
    #expect(code("INSERT INTO item VALUES (1, 1)")?.suggestedStatus == 409)
    #expect(code("INSERT INTO item VALUES (2, 0)")?.suggestedStatus == 422)
    #expect(code("INSERT INTO nothing VALUES (1)")?.suggestedStatus == 500)
    try store.close()
    #expect(code("INSERT INTO item VALUES (2, 1)")?.suggestedStatus == 503)
  }
}
