#if Server
  import Testing

  @testable import SectileServer

  /// Parameters as browsers and programs write them.
  struct QueryParametersTests {
    @Test func parametersAreDecoded() throws {
      let parameters = try QueryParameters("sort=a+b&sort=%C3%A4%2B&empty=&flag&q=a%3D%26b=c")
      #expect(parameters.all("sort") == ["a b", "ä+"])
      #expect(try parameters.one("empty") == nil)
      #expect(try parameters.one("flag") == nil)
      #expect(try parameters.one("q") == "a=&b=c")
      #expect(parameters.names == ["sort", "empty", "flag", "q"])
      #expect(throws: Refusal.self) { try parameters.one("sort") }
      #expect(try QueryParameters(nil).names.isEmpty)
    }

    @Test func aTableMayHaveAnEmptyName() throws {
      let parameters = try QueryParameters("table=&two=&two=x&name=a")
      #expect(try parameters.tableName("table") == "")
      #expect(try parameters.tableName("name") == "a")
      #expect(try parameters.tableName("none") == nil)
      #expect(throws: Refusal.self) { try parameters.tableName("two") }
    }

    @Test(arguments: ["a=%", "a=%4", "a=%g0", "a=%C3", "a=%ED%A0%80", "%FF=1", "a=%00"])
    func whatIsNoTextIsRefused(query: String) {
      #expect(throws: Refusal.self) { try QueryParameters(query) }
    }

    @Test func numbersHaveTheirRange() throws {
      let parameters = try QueryParameters("a=5&b=x&c=-1&d=99999999999999999999")
      #expect(try parameters.number("a", in: 0...5) == 5)
      #expect(throws: Refusal.self) { try parameters.number("a", in: 0...4) }
      for name in ["b", "c", "d"] {
        #expect(throws: Refusal.self) { try parameters.number(name, in: 0...Int.max) }
      }
    }

    @Test func thereAreNotTooMany() {
      let query = String(repeating: "a=1&", count: QueryParameters.limit + 1)
      #expect(throws: Refusal.self) { try QueryParameters(query) }
    }
  }
#endif
