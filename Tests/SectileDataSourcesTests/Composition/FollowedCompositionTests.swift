import SectileCore
import SectileDataSources
import Testing

/// Joining compositions, whose versions are worked out from those of their inputs.
@Suite(.timeLimit(.minutes(60))) struct FollowedCompositionTests {
  @Test func clientsJoinACompositionWithoutAGap() async throws {
    let array = CommonSourceTests.source(0..<10)
    let composed = CommonSourceTests.split(array)
    composed.load()
    let writing = Task.detached {
      for number in 10..<300 {
        try array.append(CommonSourceTests.Entry(id: number, grade: number))
      }
    }
    let folded = try await withThrowingTaskGroup(
      of: SectionedContents<AnyItemID, CommonSourceTests.Entry>.self
    ) { group in
      for _ in 0..<20 {
        let followed = composed.follow()
        group.addTask {
          var contents = try followed.snapshot.materialized()
          for await changes in followed.changesets { try contents.apply(changes) }
          return contents
        }
        await Task.yield()
      }
      try await writing.value
      composed.cancel()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let now = try composed.snapshot.materialized()
    #expect(now.count == 300)
    #expect(folded.count == 20)
    #expect(folded.allSatisfy { $0 == now })
  }
}
