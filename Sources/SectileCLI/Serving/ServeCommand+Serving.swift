#if Server
  internal import ArgumentParser
  internal import Dispatch
  internal import Sectile
  internal import SectileInspecting
  internal import SectilePresenting
  internal import SectileServer
  internal import Synchronization

  extension ServeCommand {
    /// Serves the file until a signal comes.
    ///
    /// - Throws: ``CommandFailure`` and `StoreError` where it cannot be.
    func serve() throws {
      if opening.isImmutable { try OpeningOptions.noteUnreadLogs(of: file) }
      let stop = StopSignal()
      let file = file
      let options = options
      let server = try OpeningOptions.explaining(file) {
        do {
          return try LiveServer(options) { Self.tell($0, of: file) }
        } catch let error as ServingError {
          throw Self.failure(of: error)
        }
      }
      let end = ServingEnd()
      Task.detached {
        do {
          try await server.run()
          end.come(with: nil)
        } catch {
          end.come(with: error)
        }
      }
      stop.whenStopped {
        // A query that cannot be interrupted would keep the process. It only reads.
        DispatchQueue.global().asyncAfter(deadline: .now() + options.lastResort / .seconds(1)) {
          EndingSignal.endProcess()
        }
        Task.detached { await server.stop() }
      }
      guard let error = end.wait() else { return }
      throw (error as? ServingError).map(Self.failure(of:)) ?? error
    }

    private var options: ServingOptions {
      var options = ServingOptions(file: file)
      options.isImmutable = opening.isImmutable
      options.host = host
      options.port = port
      options.allowedHosts = allowedHosts
      options.needsToken = !hasNoToken
      options.queryTime = .seconds(queryTimeout)
      options.streams = streamLimit
      options.views = viewLimit
      options.connections = connectionLimit
      options.programVersion = SectileCommand.configuration.version
      return options
    }

    private static func failure(of error: ServingError) -> CommandFailure {
      CommandFailure(
        error.code == .usage ? .usage : .inputOutput, error.description, hint: error.hint)
    }

    private static func tell(_ address: String, of file: String) {
      let output = Output.standard()
      // There is nobody left to tell that this cannot be written.
      try? output.line("\(TerminalText.escaped(file)): \(address)")
      try? output.flush()
    }
  }

  /// The end of a server, which the command's thread waits for.
  private final class ServingEnd: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    // MARK: - Mutable state
    //
    // - `error`: guarded by its mutex; set once, before the semaphore is signalled.
    private let error = Mutex<(any Error)?>(nil)

    func come(with error: (any Error)?) {
      self.error.withLock { $0 = error }
      semaphore.signal()
    }

    /// Waits for the end; returns the error it came with.
    func wait() -> (any Error)? {
      semaphore.wait()
      return error.withLock { $0 }
    }
  }
#endif
