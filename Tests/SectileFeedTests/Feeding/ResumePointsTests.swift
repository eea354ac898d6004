import SectileCore
import Synchronization
import Testing

@testable import SectileFeed

@Suite struct ResumePointsTests {
  private final class Said: Sendable {
    private let version = Mutex<ResumableVersion?>(nil)

    var now: ResumableVersion? { version.withLock { $0 } }

    func say(_ number: Int?, since: Int = 0, sequence: UInt64 = 0, request: UInt64 = 1) {
      version.withLock { version in
        version = number.map {
          ResumableVersion(
            version: $0, requestedSince: since,
            point: ResumePoint(
              place: LogPlace(store: 1, epoch: 1, sequence: sequence, salt: 0), request: request))
        }
      }
    }
  }

  private func points(limit: Int = 100) -> (ResumePoints, Said) {
    let said = Said()
    return (ResumePoints(limit: limit) { said.now }, said)
  }

  @Test func aPlaceIsGoodForLaterVersionsAndNeverForEarlierOnes() {
    let (points, said) = points()
    #expect(points.point(at: 7) == nil)
    said.say(7, sequence: 40)
    points.note()
    said.say(9, sequence: 44)
    #expect(points.point(at: 6) == nil)
    #expect(points.point(at: 7)?.place.sequence == 40)
    #expect(points.point(at: 8)?.place.sequence == 40)
    #expect(points.point(at: 9)?.place.sequence == 44)
    #expect(points.point(at: 12)?.place.sequence == 44)
  }

  @Test func theLogMayGoOnWhileContentsStayAsTheyAre() {
    let (points, said) = points()
    said.say(7, sequence: 40)
    points.note()
    said.say(7, sequence: 90)
    #expect(points.point(at: 7)?.place.sequence == 90)
  }

  @Test func whatWasNotedOfAnEarlierRequestIsNotTold() {
    let (points, said) = points()
    said.say(7, sequence: 40)
    points.note()
    said.say(9, since: 9, sequence: 44, request: 2)
    #expect(points.point(at: 8) == nil)
    #expect(points.point(at: 7) == nil)
    #expect(points.point(at: 9)?.request == 2)
    // And nothing while the request changes, or the log is gone.
    said.say(nil)
    #expect(points.point(at: 9) == nil)
  }

  @Test func theOldestGoFirst() {
    let (points, said) = points(limit: 3)
    for version in 1...5 {
      said.say(version, sequence: UInt64(version))
      points.note()
    }
    #expect(points.point(at: 2) == nil)
    #expect(points.point(at: 3)?.place.sequence == 3)
  }
}
