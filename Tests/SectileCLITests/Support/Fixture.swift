import Foundation
import Testing

/// The files that belong to these tests.
enum Fixture {
  /// The path of a small dpkg status file with everything that can be odd about one.
  static var status: String {
    get throws {
      let url = Bundle.module.url(
        forResource: "status", withExtension: nil, subdirectory: "Fixtures")
      return try #require(url).path
    }
  }
}
