#if Postgres
  internal import Sectile
  internal import SectileHub
  internal import SectilePresenting
  internal import Synchronization

  /// Shows how far a replica is: a line on a terminal while rows are copied, and lines of events
  /// where they are wanted.
  final class HubReporter: Sendable {
    private let output: Output
    private let tellsEvents: Bool
    private let isJSON: Bool
    private let fail: @Sendable () -> Void

    private struct State {
      var progress: Progress?
      var failure: (any Error)?
    }

    // MARK: - Mutable state
    //
    // - `state`: guarded by its mutex, also while a line is written, which keeps lines whole.
    private let state = Mutex(State())

    /// Creates a reporter.
    ///
    /// - Parameters:
    ///   - output: Where events go.
    ///   - tellsEvents: Whether they are written.
    ///   - isJSON: Whether they are written as JSON.
    ///   - fail: Called when one cannot be written.
    init(
      output: Output, tellsEvents: Bool, isJSON: Bool, fail: @escaping @Sendable () -> Void = {}
    ) {
      (self.output, self.tellsEvents, self.isJSON, self.fail) = (output, tellsEvents, isJSON, fail)
    }

    /// How a replica is opened that is reported of.
    var configuration: ReplicaConfiguration {
      var configuration = ReplicaConfiguration()
      configuration.onEvent = { [self] event in hear(event) }
      return configuration
    }

    private func hear(_ event: ReplicaEvent) {
      let hasFailed = state.withLock { state in
        do {
          try show(event, &state)
          return false
        } catch {
          state.failure = state.failure ?? error
          return true
        }
      }
      if hasFailed { fail() }
    }

    /// Writes a line of something else that happened.
    ///
    /// - Parameters:
    ///   - line: What, for a person.
    ///   - document: The same for a program.
    func tell(_ line: String, as document: JSONValue) {
      let hasFailed = state.withLock { state in
        do {
          try state.progress?.finish()
          state.progress = nil
          let text = "\(ClockText.now())  \(line)"
          try output.line(isJSON ? document.text : TerminalText.escaped(text))
          try output.flush()
          return false
        } catch {
          state.failure = state.failure ?? error
          return true
        }
      }
      if hasFailed { fail() }
    }

    private func show(_ event: ReplicaEvent, _ state: inout State) throws {
      if case .copied(let rowCount, let estimate) = event.content {
        var progress = state.progress ?? Self.progress(estimate)
        try progress.advance(to: rowCount)
        state.progress = progress
        return
      }
      try state.progress?.finish()
      state.progress = nil
      guard tellsEvents else { return }
      let text = isJSON ? event.document.text : "\(ClockText.now())  \(event.line)"
      try output.line(isJSON ? text : TerminalText.escaped(text))
      try output.flush()
    }

    private static func progress(_ estimate: Int?) -> Progress {
      guard let estimate, estimate > 0 else { return Progress("Copying rows", total: 0) }
      return Progress("Copying about \(CountText.text(estimate, "row"))", total: estimate)
    }

    /// Runs a closure, and removes the line after it.
    ///
    /// - Throws: Why an event could not be written, in place of what the closure throws then.
    func reporting<Value>(_ body: () throws -> Value) throws -> Value {
      let result = Result { try body() }
      let failure = state.withLock { state in
        // A terminal that is gone needs no clean line.
        try? state.progress?.finish()
        return state.failure
      }
      if let failure { throw failure }
      return try result.get()
    }
  }
#endif
