extension Store {
  /// What closing a store came to: whether the file has everything by itself.
  ///
  /// ```swift
  /// try store.close()
  /// if let outcome = store.closeOutcome, outcome.remainingLog != nil { print(outcome) }
  /// // packages.sqlite: the log stays beside the file: another connection or process has the file
  /// // open
  /// ```
  public struct CloseOutcome: Sendable {
    /// The path the store was opened at; `nil` for a store in memory.
    public let path: String?
    /// Why the log still lies beside the file; `nil` where there is none.
    public let remainingLog: RemainingLog?
    /// Whether nothing is left that only the log holds: then a copy of the file alone is a copy of
    /// everything that the store committed.
    ///
    /// Where others have the file open, that is so until their next commit.
    public let isComplete: Bool
    /// What copying the log into the file met; the store is closed all the same.
    public let error: StoreError?
  }

  /// Why a log lies beside the file of a store that was closed.
  public struct RemainingLog: Hashable, Sendable, CustomStringConvertible {
    /// In words.
    public let description: String

    /// Another connection or process has the file open; the last one of them removes the log.
    public static let inUse = Self(
      description: "another connection or process has the file open")
    /// The connections are not the store's own: their owner closes them.
    public static let adopted = Self(description: "the store's connections belong to somebody else")
    /// The store may not write.
    public static let readOnly = Self(description: "the store was opened read-only")
    /// The log could not be copied into the file: see ``CloseOutcome/error``.
    ///
    /// A full disk, or a file that was replaced, renamed or linked while it was open. Whoever opens
    /// the file next finds the log where it still lies beside it. Or the log itself was removed
    /// while it was open: then what only it held is lost.
    public static let failed = Self(description: "it could not be copied into the file")
  }
}

extension Store.CloseOutcome: CustomStringConvertible {
  /// What is beside the file, and why, in one line.
  public var description: String {
    let name = path ?? "The store"
    guard let remainingLog else { return "\(name): closed" }
    let reason = error.map { "\(remainingLog): \($0.message)" } ?? "\(remainingLog)"
    // There may be none beside it, or another one.
    return error?.code == .fileReplaced
      ? "\(name): the log could not be copied: \(reason)"
      : "\(name): the log stays beside the file: \(reason)"
  }
}
