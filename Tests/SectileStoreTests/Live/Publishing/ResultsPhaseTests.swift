import Testing

@testable import SectileStore

@Suite struct ResultsPhaseTests {
  private typealias Unread = ResultsPhase.UnreadCommits

  enum Event: CaseIterable, Sendable {
    case loadReads
    case otherTablesTouched
    case loadReadNoMore
    case hasFirstBatch
    case hasAll
    case cancelled
  }

  struct Row: Sendable {
    let phase: ResultsPhase
    /// The phase after each event, in their order.
    let next: [ResultsPhase]
  }

  /// Every phase × every event, as in the drawing.
  static let table: [Row] = {
    let (first, others) = (Unread(), Unread(concernOtherTables: true))
    return [
      Row(
        phase: .idle,
        next: [.loading(first), .idle, .idle, .loading(first), .following, .idle]),
      Row(
        phase: .loading(first),
        next: [.loading(first), .loading(others), .idle, .loading(first), .following, .idle]),
      Row(
        phase: .loading(others),
        next: [.loading(first), .loading(others), .idle, .loading(first), .following, .idle]),
      Row(
        phase: .following,
        next: [.reloading(first), .following, .following, .loading(first), .following, .idle]),
      Row(
        phase: .reloading(first),
        next: [
          .reloading(first), .reloading(others), .following, .loading(first), .following, .idle,
        ]),
      Row(
        phase: .reloading(others),
        next: [
          .reloading(first), .reloading(others), .following, .loading(first), .following, .idle,
        ]),
    ]
  }()

  @Test(arguments: table) func followsTheDrawing(row: Row) {
    for (event, expected) in zip(Event.allCases, row.next) {
      var phase = row.phase
      switch event {
      case .loadReads: phase.leaveCommitsToLoad()
      case .otherTablesTouched: phase.noteOtherTables()
      case .loadReadNoMore: phase.takeCommitsBack()
      case .hasFirstBatch: phase.follow(isComplete: false)
      case .hasAll: phase.follow(isComplete: true)
      case .cancelled: phase.stop()
      }
      #expect(phase == expected, "\(row.phase), \(event)")
    }
  }

  @Test func followingResultsFollowWhileTheyAreLoadedAnew() {
    #expect(!ResultsPhase.idle.isFollowing)
    #expect(!ResultsPhase.loading(Unread()).isFollowing)
    #expect(ResultsPhase.following.isFollowing)
    #expect(ResultsPhase.reloading(Unread()).isFollowing)
  }
}
