import SectileCore
import Testing

@testable import SectileStore

@Suite(.timeLimit(.minutes(60))) struct VersionNodeTests {
  /// Makes a chain of commits that each touch one row, the next number each.
  private static func chain(of count: Int64, completeUpTo last: Int64 = .max) -> [VersionNode] {
    var nodes = [VersionNode()]
    for number in 0..<count {
      let preImages = PreImages(columns: [])
      preImages.noteAbsent(.integer(number))
      if number > last { preImages.loseTrack() }
      let next = VersionNode()
      nodes[nodes.count - 1].connect(to: next, before: preImages)
      nodes.append(next)
    }
    return nodes
  }

  /// Who reads old rows of a version must not keep it, or all that come after it would stay.
  @Test(arguments: [Int64.max, 0, 3, -1])
  func aVersionThatWasReadIsReleased(completeUpTo last: Int64) {
    weak var first: VersionNode?
    weak var fifth: VersionNode?
    do {
      var nodes = Self.chain(of: 9, completeUpTo: last)
      (first, fifth) = (nodes[0], nodes[5])
      for number in [0, 3, 7, 100] as [Int64] { _ = nodes[0].entry(of: .integer(number)) }
      nodes.removeFirst(6)
      #expect(first == nil && fifth == nil)
    }
    #expect(first == nil && fifth == nil)
  }

  @Test func theFirstCommitThatTouchedARowIsFound() {
    let nodes = Self.chain(of: 9)
    for number in 0..<8 as Range<Int64> {
      guard case .absent? = nodes[0].entry(of: .integer(number))?.entry else {
        Issue.record("row \(number) is not found")
        continue
      }
      #expect(nodes[Int(number) + 1].entry(of: .integer(number)) == nil)
    }
    #expect(nodes[0].entry(of: .integer(100)) == nil)
  }
}
