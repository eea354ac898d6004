internal import SectileCore

extension FileLinesOptions {
  /// When a file is looked at, to see whether it changed since it was last read.
  ///
  /// What is compared is the file's identity, size, and times of last change: so a file that was
  /// appended to, rewritten, truncated, removed, or replaced by renaming another is read again. One
  /// that is rewritten with the same size within the resolution of the file system's clock is not.
  public struct Observation: Sendable {
    /// Calls a closure each time the file should be looked at, until its task is cancelled.
    let watch: @Sendable (_ look: @escaping @Sendable () -> Void) async -> Void

    /// Never: call `load()` to read the file again.
    public static let none = Observation { _ in }

    /// Once every so often.
    ///
    /// - Precondition: `interval` is positive.
    public static func polling(every interval: Duration = .seconds(1)) -> Observation {
      precondition(interval > .zero, "polling every \(interval) leaves no time for anything else")
      return Observation { look in
        // Sleeping throws where the task was cancelled: this is the end.
        while (try? await Task.sleep(for: interval.waitable)) != nil { look() }
      }
    }

    /// Whenever a stream says so.
    ///
    /// - Parameter signals: Makes the stream; it is made anew for each watch.
    /// - Returns: An observation that looks at the file for each element.
    public static func signalled(
      by signals: @escaping @Sendable () -> AsyncStream<Void>
    ) -> Observation {
      Observation { look in
        for await _ in signals() { look() }
      }
    }
  }
}
