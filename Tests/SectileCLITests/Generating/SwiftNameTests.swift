import Testing

@testable import SectileCLI

@Suite struct SwiftNameTests {
  @Test(arguments: [
    ("artist_id", "artistID"), ("id", "id"), ("AlbumId", "albumID"), ("URL", "url"),
    ("HTTPServer", "httpServer"), ("2nd line", "column2ndLine"), ("%", "column"),
    ("ZTITLE", "ztitle"),
    ("image_url_path", "imageURLPath"), ("größe", "größe"), ("", "column"),
  ])
  func propertiesAreInCamelCase(column: String, property: String) {
    #expect(SwiftName.property(of: column) == property)
  }

  @Test(arguments: [
    ("album_track", "AlbumTrack"), ("date", "DateRow"), ("task", "TaskRow"), ("7", "Table7"),
    ("say \"hi\"", "SayHi"), ("PlaylistTrack", "PlaylistTrack"),
  ])
  func typesHaveCapitals(table: String, type: String) {
    #expect(SwiftName.type(of: table) == type)
  }

  @Test(arguments: [
    ("track", "tracks"), ("tracks", "tracks"), ("box", "boxes"), ("entry", "entries"),
    ("day", "days"), ("address", "addresses"), ("status", "statuses"),
  ])
  func pluralsFollowARule(name: String, plural: String) {
    #expect(SwiftName.plural(name) == plural)
  }

  @Test func literalsHideNothing() {
    #expect(SwiftName.literal("a\"b\\c\n") == #""a\"b\\c\u{A}""#)
    #expect(SwiftName.isPlain("two words"))
    #expect(!SwiftName.isPlain("a\\b"))
    #expect(!SwiftName.isPlain("a\u{202E}b"))
  }

  @Test func aTakenNameGetsANumber() {
    var taken: Set<String> = ["name"]
    #expect(SwiftName.take("name", of: &taken) == "name2")
    #expect(SwiftName.take("name", of: &taken) == "name3")
  }
}
