#if Postgres
  /// Values in SQL of types that replicas have as texts, JSON or whole numbers.
  enum PostgresValueExamples {
    static let values: [(type: String, values: [String])] = times + arrays + others

    private static let times: [(type: String, values: [String])] = [
      (
        "timestamp",
        [
          "'2026-11-26 03:20:01'", "'2026-11-26 03:20:01.000001'", "'1969-12-31 23:59:59.9'",
          "'0001-01-01'", "'9999-12-31 23:59:59.999999'", "'infinity'", "'-infinity'",
          "'1999-12-31 24:00'", "NULL",
        ]
      ),
      ("timestamp(0)", ["'2026-11-26 03:20:01'"]),
      ("time", ["'00:00'", "'24:00'", "'03:20:01.5'", "'23:59:59.999999'", "NULL"]),
      ("timetz", ["'24:00+05:30'", "'03:20:01.000001-08'", "'00:00+00'"]),
      (
        "interval",
        [
          "'0'", "'-1 year -2 mons +3 days -04:05:06.7'", "'178000000 years'", "'-00:00:00.5'",
          "'1 mon -1 day'", "'100 hours'", "NULL",
        ]
      ),
      ("tstzrange", ["'[2026-01-01Z,infinity)'", "'empty'", "'(,)'"]),
      ("tsrange", ["'[2026-01-01,2026-01-02 03:04:05.6)'"]), ("daterange", ["'[2026-01-01,)'"]),
    ]

    private static let arrays: [(type: String, values: [String])] = [
      (
        "int4[]",
        [
          "'{}'", "'{1,NULL,-3}'", "'{{1,2},{3,NULL}}'", "'[2:3]={1,2}'", "'[0:0][3:3]={{7}}'",
          "NULL",
        ]
      ),
      ("int8[]", ["'{-9223372036854775808,9223372036854775807}'"]),
      ("float8[]", ["'{1e308,-0,NaN,-Infinity,1e-5,NULL,0.1}'"]), ("float4[]", ["'{0.1,1e-45}'"]),
      ("bool[]", ["'{t,f,NULL}'"]),
      (
        "text[]",
        [
          #"ARRAY['a', 'b c', NULL, 'NULL', 'null', '"q"', '\x', '{', '}', '', ',', 'é', E'\n\t\x7f']"#,
          #"ARRAY[['{1,2}', '"'], ['\', '\\']]"#, #"'[2:2]={"a \" b"}'"#,
        ]
      ),
      ("varchar(3)[]", [#"'{abc," a"}'"#]), ("char(2)[]", ["'{a,NULL}'"]),
      ("numeric[]", ["'{12.30,NaN,1e30,NULL}'"]),
      ("bytea[]", [#"ARRAY['\x00ff'::bytea, NULL, '']"#]),
      ("uuid[]", ["'{A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11}'"]),
      ("timestamptz[]", ["'{2026-01-01Z,infinity,0044-03-15 BC}'"]),
      ("interval[]", ["'{1 day,-1 hour}'"]), ("inet[]", ["'{192.168.0.1,::1/128}'"]),
      ("money[]", ["'{1234.5,-1}'"]), ("mood[]", [#"'{sad,"very happy",NULL}'"#]),
      ("jsonb[]", [#"ARRAY['{"a": null}'::jsonb, 'null', NULL]"#]), ("grid", ["'{{1,2}}'"]),
      ("pair[]", ["ARRAY[ROW(1, 'x y', NULL)::pair, NULL]"]),
      ("box[]", ["'{(1,1),(0,0);(2,2),(1,1)}'"]),
      ("hstore[]", [#"ARRAY['a=>1'::hstore, '"b c"=>NULL']"#]), ("positive[]", ["'{1,2}'"]),
    ]

    private static let others: [(type: String, values: [String])] = [
      ("int4range", ["'empty'", "'[1,5)'", "'(,)'", "NULL"]), ("numrange", ["'[1.50,NaN]'"]),
      ("int4multirange", ["'{[1,3),[5,)}'", "'{}'"]),
      ("inet", ["'192.168.0.1'", "'10.0.0.0/8'", "'::1'", "NULL"]), ("cidr", ["'10.0.0.0/8'"]),
      ("macaddr", ["'08-00-2B-01-02-03'"]), ("citext", ["'AbC'", "''"]),
      (
        "money",
        ["'-12.345'", "'-92233720368547758.08'", "'92233720368547758.07'", "0", "'-0.01'", "NULL"]
      ),
      ("bit(3)", ["B'101'"]), ("varbit", ["B''", "B'0101'"]),
      ("xml", [#"'<?xml version="1.0" encoding="UTF-8"?><a>é</a>'"#, "'text'", "NULL"]),
      ("hstore", [#"'a=>1, "b c"=>NULL, "q\"\\"=>"NULL", e=>""'"#, "''", "NULL"]),
      ("pair", [#"ROW(1, 'x "y', '2026-01-01Z')"#, "ROW(NULL, NULL, NULL)", "NULL"]),
      ("point", ["point('NaN', '-Infinity')", "'(1,0.1)'"]), ("oid", ["0", "4294967295"]),
      ("name", ["'n'"]), (#""char""#, ["'x'"]), ("tsvector", ["'a:1 b'"]),
      ("pg_lsn", ["'16/B374D848'"]),
    ]
  }
#endif
