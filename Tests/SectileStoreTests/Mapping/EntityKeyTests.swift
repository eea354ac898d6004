import Foundation
import SectileCore
import SectileStore
import Testing

@Suite(.timeLimit(.minutes(60))) struct EntityKeyTests {
  private func checkRoundTrip(
    _ key: some EntityKey, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    func check<Key: EntityKey>(_ key: Key) throws {
      #expect(try Key(keyValues: key.keyValues) == key, sourceLocation: sourceLocation)
    }
    try check(key)
  }

  @Test func keysRoundTripThroughTheirValues() throws {
    try checkRoundTrip(Int64.min)
    try checkRoundTrip(5)
    try checkRoundTrip(UInt8(255))
    try checkRoundTrip("a\0b")
    try checkRoundTrip(UUID())
    try checkRoundTrip(Genre.jazz)
    try checkRoundTrip(Int64?.none)
    try checkRoundTrip(Int64?.some(3))
    try checkRoundTrip(AlbumTrack.ID(album: 3, position: 1))
  }

  @Test func valuesThatAreNoKeyAreRefused() {
    #expect(storeError { _ = try Int8(keyValues: [300]) }?.code == .decodingFailed)
    #expect(storeError { _ = try Int(keyValues: ["x"]) }?.code == .decodingFailed)
    #expect(storeError { _ = try Int(keyValues: []) }?.code == .decodingFailed)
    #expect(storeError { _ = try String(keyValues: [1]) }?.code == .decodingFailed)
    #expect(storeError { _ = try UUID(keyValues: ["x"]) }?.code == .decodingFailed)
    #expect(storeError { _ = try Genre(keyValues: ["polka"]) }?.code == .decodingFailed)
    #expect(storeError { _ = try AlbumTrack.ID(keyValues: [1]) }?.code == .decodingFailed)
  }
}
