#if Postgres
  import SectileHub
  import Testing

  @testable import SectilePostgres

  @Suite struct ConnectionStringTests {
    @Test(arguments: [
      "", "depots", "host=db dbname=depots", "host=a,b port=1,2 password='s3@cret'",
      "postgresql://", "postgres://ann:s3%40cret@db:5432,other/depots?sslmode=require",
      "postgresql://%2Ftmp/depots", "host='' dbname=a@b",
    ])
    func connectionThatCanBeReadIsTaken(_ text: String) {
      #expect(throws: Never.self) { _ = try PostgresHub(connection: text, name: "a") }
    }

    @Test(arguments: [
      "host=db password=my s3cret", "password='s3cret", "s3cret=1",
      "postgresql://ann:pa@s3cret@db/depots", "postgresql://ann:pa/s3cret@db/depots",
      "postgresql://ann:s3cret%zz@db", "postgresql://[s3cret",
    ])
    func otherTextIsRefusedAndNotRepeated(_ text: String) {
      let error = #expect(throws: HubError.self) {
        _ = try PostgresHub(connection: text, name: "a")
      }
      #expect(error?.code == .invalidSubscription)
      #expect(error.map { "\($0)".contains("s3cret") } == false)
    }

    @Test func nameOfAReplicaIsInItsSlot() {
      #expect(PostgresHub.name(ofSlot: "sectile_depot_7_0123abcd") == "depot_7")
      #expect(PostgresHub.name(ofSlot: "sectile_0123abcd") == nil)
      #expect(PostgresHub.name(ofSlot: "other_depot_0123abcd") == nil)
      #expect(PostgresHub.name(ofSlot: "sectile_depot_7") == nil)
    }
  }
#endif
