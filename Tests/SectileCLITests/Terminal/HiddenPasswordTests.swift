import Testing

@testable import SectileCLI

@Suite struct HiddenPasswordTests {
  @Test(arguments: [
    ("Unexpected argument 'password=s3cret'", "Unexpected argument 'password=…'"),
    ("host=db password = 's3 cret' user=a", "host=db password = … user=a"),
    (
      "Unknown option '--hub=postgresql://ann:s3cret@db/depots'",
      "Unknown option '--hub=postgresql://ann:…@db/depots'"
    ),
    ("postgres://ann:s3@cret@db", "postgres://ann:…@db"),
    ("postgresql://db/depots?password=s3cret&port=1", "postgresql://db/depots?password=…&port=1"),
    ("Missing expected argument '--table <table>'", "Missing expected argument '--table <table>'"),
  ])
  func passwordsAreLeftOut(_ text: String, _ expected: String) {
    #expect(HiddenPassword.hiding(in: text) == expected)
  }
}
