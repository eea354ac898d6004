#if Service
  /// Decides when a ``CheckpointService`` copies the log, from what it sees at each look.
  ///
  /// ```text
  ///   commits since the last look      none since the last look
  ///   ──▶ busy ────────────────────────▶ quiet ──▶ passive ──▶ everything is copied: clean
  ///        │ the log is long                          │ somebody reads an older state
  ///        └──────────────▶ passive ──────────────────┴──▶ blocked: fewer looks, doubling
  /// ```
  struct CheckpointPlan: Sendable {
    /// What is to be done after a look.
    enum Step: Hashable, Sendable {
      case nothing
      /// Copies what it can, and waits for nobody.
      case passive
      /// Has writers wait for readers of older states, so that the log can begin anew.
      case restart
    }

    /// From how many bytes on the log is long.
    private let logByteLimit: Int
    /// For how many looks nothing is tried at most, where somebody is in the way.
    private let restLimit: Int

    /// How many commits there were at the last look; nil before the first.
    private var seenCount: Int?
    /// How many there were when everything was copied; nil before that.
    private var copiedCount: Int?
    /// How many attempts in a row were in vain.
    private(set) var blockedCount = 0
    /// How many bytes of the log were in use at the last attempt: a file that was longer once stays
    /// so.
    private var usedByteCount = 0
    /// For how many more looks nothing is tried.
    private var rest = 0

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - logByteLimit: From how many bytes on the log is long.
    ///   - restLimit: For how many looks nothing is tried at most.
    init(logByteLimit: Int, restLimit: Int) {
      (self.logByteLimit, self.restLimit) = (logByteLimit, max(1, restLimit))
    }

    /// Whether somebody is in the way.
    var isBlocked: Bool { blockedCount > 0 }

    /// Looks, and decides.
    ///
    /// - Parameters:
    ///   - commitCount: How many commits there have been.
    ///   - logByteCount: How many bytes the log takes on disk.
    ///   - holdsViews: Whether the store itself reads older states: to wait for them is in vain.
    /// - Returns: What is to be done.
    mutating func look(commitCount: Int, logByteCount: Int, holdsViews: Bool) -> Step {
      let isQuiet = seenCount == nil || seenCount == commitCount
      seenCount = commitCount
      let isLong = logByteCount > logByteLimit
      guard logByteCount > 0, copiedCount != commitCount, isQuiet || isLong else { return .nothing }
      if rest > 0 {
        rest -= 1
        return .nothing
      }
      return usedByteCount > logByteLimit && isBlocked && !holdsViews ? .restart : .passive
    }

    /// Notes what an attempt came to.
    ///
    /// - Parameters:
    ///   - commitCount: How many commits there had been before it.
    ///   - usedByteCount: How many bytes of the log were in use; nil where that is not known.
    ///   - isComplete: Whether everything was copied.
    mutating func note(commitCount: Int, usedByteCount: Int? = nil, isComplete: Bool) {
      if let usedByteCount { self.usedByteCount = usedByteCount }
      if isComplete {
        (copiedCount, blockedCount, rest) = (commitCount, 0, 0)
      } else {
        blockedCount += 1
        rest = min(1 << min(blockedCount - 1, 20), restLimit)
      }
    }
  }
#endif
