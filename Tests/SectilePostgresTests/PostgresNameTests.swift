#if Postgres
  import Testing

  @testable import SectilePostgres

  @Suite struct PostgresNameTests {
    @Test(arguments: [("a", "\"a\""), ("a\"b", "\"a\"\"b\""), ("", "\"\"")])
    func quotedNameIsOneName(_ name: String, _ quoted: String) {
      #expect(PostgresName.quote(name) == quoted)
    }
  }
#endif
