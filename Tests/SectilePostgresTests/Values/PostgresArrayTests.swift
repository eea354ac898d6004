#if Postgres
  import Testing

  @testable import SectilePostgres

  struct PostgresArrayTests {
    static let arrays: [(text: String, element: PostgresType.Element, json: String?)] = [
      ("{}", .number, "[]"), ("{1,NULL,-3}", .number, "[1,null,-3]"),
      ("{{1,2},{3,NULL}}", .number, "[[1,2],[3,null]]"),
      ("{1e+308,-0,NaN,-Infinity}", .number, #"[1e+308,-0,"NaN","-Infinity"]"#),
      ("{t,f,NULL}", .truth, "[true,false,null]"), ("{1,t}", .text, #"["1","t"]"#),
      (
        #"{a,"b c","NULL","\"q\"","\\x","{",""}"#, .text,
        #"["a","b c","NULL","\"q\"","\\x","{",""]"#
      ),
      ("[2:3]={1,2}", .number, #""[2:3]={1,2}""#),
      ("", .text, nil), ("a", .text, nil), ("{", .text, nil), ("{a", .text, nil),
      ("{a}}", .text, nil), ("{a},", .text, nil), ("{,a}", .text, nil), ("{a,}", .text, nil),
      (#"{"a}"#, .text, nil), (#"{"a\"#, .text, nil), ("{a{b}}", .text, nil), ("[x", .text, nil),
      ("{{a}{b}}", .text, nil),
    ]

    @Test func arrayIsJSON() {
      for (text, element, json) in Self.arrays {
        let found = PostgresArray.json(array: ArraySlice(Array(text.utf8)), of: element)
        #expect(found == json, "\(text)")
        if let json { #expect(PostgresArray.arrayText(json: json) == text) }
      }
    }

    static let pairs: [(text: String, json: String?)] = [
      ("", "{}"), (#""a"=>"1", "b c"=>NULL"#, #"{"a":"1","b c":null}"#),
      (#""q\"\\"=>"NULL""#, #"{"q\"\\":"NULL"}"#), ("a", nil), (#""a""#, nil), (#""a"=>"#, nil),
      (#""a"=>"1","b"=>"2""#, nil), (#""a"=>"1" "#, nil),
    ]

    @Test func hstoreIsJSON() {
      for (text, json) in Self.pairs {
        #expect(PostgresArray.json(hstore: ArraySlice(Array(text.utf8))) == json, "\(text)")
        if let json {
          #expect(PostgresArray.hstore(json: json) == text)
          #expect(PostgresArray.hstoreText(json: json) == text)
        }
      }
    }

    @Test func escapesOfJSONAreTakenBack() {
      let json = #"["\u0001\n\t\\\"","é","null"," "]"#
      let text = PostgresArray.arrayText(json: json)
      #expect(text == "{\"\u{1}\n\t\\\\\\\"\",é,\"null\",\" \"}")
    }

    @Test(arguments: ["", "{}", "1", "[", #"["a"#, "[1]]", #""a"#, #"["\u12"]"#])
    func whatIsNoJSONOfAnArrayHasNoText(_ json: String) {
      #expect(PostgresArray.arrayText(json: json) == nil)
    }

    @Test(arguments: ["", "[]", #"{"a":1}"#, #"{"a":{}}"#, "null", #""a"=>"1""#])
    func whatIsNoObjectOfTextsIsNoHstore(_ json: String) {
      #expect(PostgresArray.hstore(json: json) == nil)
    }
  }
#endif
