#if Postgres
  internal import Sectile
  internal import SectilePostgres
  internal import SectilePresenting

  extension HubSetupPlan {
    /// Writes the steps and notes, for a person.
    ///
    /// - Parameters:
    ///   - verb: What stands before each step, such as `would`.
    ///   - output: Where they go.
    /// - Throws: ``CommandFailure``, ``ClosedPipe``.
    func write(_ verb: String, to output: Output) throws {
      for step in steps { try output.line(TerminalText.escaped("\(verb) \(step.summary)")) }
      for note in notes { try output.line(TerminalText.escaped("Note: \(note)")) }
    }

    /// The steps, for a program.
    var stepDocument: JSONValue { .array(steps.map { .string($0.summary) }) }

    /// The notes, for a program.
    var noteDocument: JSONValue { .array(notes.map { .string($0) }) }
  }
#endif
