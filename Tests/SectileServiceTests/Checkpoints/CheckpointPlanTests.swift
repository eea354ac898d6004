#if Service
  import Testing

  @testable import SectileService

  /// When the log is copied.
  @Suite(.timeLimit(.minutes(60))) struct CheckpointPlanTests {
    private static func look(
      _ plan: inout CheckpointPlan, _ commitCount: Int, bytes: Int = 100, holdsViews: Bool = false
    ) -> CheckpointPlan.Step {
      plan.look(commitCount: commitCount, logByteCount: bytes, holdsViews: holdsViews)
    }

    @Test func itCopiesOnceWhereNobodyHasCommittedForAWhile() {
      var plan = CheckpointPlan(logByteLimit: 1_000, restLimit: 8)
      #expect(Self.look(&plan, 3) == .passive)
      plan.note(commitCount: 3, isComplete: true)
      #expect(Self.look(&plan, 3) == .nothing)
      #expect(Self.look(&plan, 4) == .nothing)
      #expect(Self.look(&plan, 5) == .nothing)
      #expect(Self.look(&plan, 5) == .passive)
    }

    @Test func withoutALogThereIsNothingToDo() {
      var plan = CheckpointPlan(logByteLimit: 1_000, restLimit: 8)
      #expect(Self.look(&plan, 3, bytes: 0) == .nothing)
      #expect(Self.look(&plan, 3, bytes: 0) == .nothing)
    }

    @Test func aLongLogDoesNotWaitForQuiet() {
      var plan = CheckpointPlan(logByteLimit: 1_000, restLimit: 8)
      #expect(Self.look(&plan, 3, bytes: 0) == .nothing)
      #expect(Self.look(&plan, 4, bytes: 2_000) == .passive)
    }

    @Test func whoIsInTheWayIsTriedLessAndLessOften() {
      var plan = CheckpointPlan(logByteLimit: 1_000, restLimit: 3)
      for rest in [1, 2, 3, 3] {
        #expect(Self.look(&plan, 3) == .passive)
        plan.note(commitCount: 3, isComplete: false)
        #expect(plan.isBlocked)
        for _ in 0..<rest { #expect(Self.look(&plan, 3) == .nothing) }
      }
      #expect(Self.look(&plan, 3) == .passive)
      plan.note(commitCount: 3, isComplete: true)
      #expect(!plan.isBlocked)
    }

    @Test func writersWaitOnlyWhereTheLogInUseIsLongAndOthersReadIt() {
      var plan = CheckpointPlan(logByteLimit: 1_000, restLimit: 1)
      #expect(Self.look(&plan, 3, bytes: 2_000) == .passive)
      plan.note(commitCount: 3, usedByteCount: 2_000, isComplete: false)
      #expect(Self.look(&plan, 3, bytes: 2_000) == .nothing)
      #expect(Self.look(&plan, 3, bytes: 2_000, holdsViews: true) == .passive)
      #expect(Self.look(&plan, 3, bytes: 2_000) == .restart)
      // The file was long once, and what is in use is not.
      plan.note(commitCount: 3, usedByteCount: 500, isComplete: false)
      #expect(Self.look(&plan, 3, bytes: 2_000) == .nothing)
      #expect(Self.look(&plan, 3, bytes: 2_000) == .passive)
    }
  }
#endif
