/// What a ``FileLinesFetcher`` accepts, and how it looks for changes.
public struct FileLinesOptions: Sendable {
  /// What is done with bytes that are not UTF-8.
  public struct InvalidText: Hashable, Sendable {
    let isRefused: Bool

    /// They become replacement characters, U+FFFD.
    public static let repaired = InvalidText(isRefused: false)
    /// The load fails with `invalidText`, naming the line.
    public static let refused = InvalidText(isRefused: true)
  }

  /// The size beyond which a file is refused with `fileTooLarge`; 64 MiB unless told otherwise.
  public var byteCountLimit: Int
  /// The length beyond which a line is refused with `lineTooLong`; 1 MiB unless told otherwise.
  public var lineByteCountLimit: Int
  /// What is done with bytes that are not UTF-8; they are repaired unless told otherwise.
  public var invalidText: InvalidText
  /// When the file is looked at for changes; never unless told otherwise.
  public var observation: Observation

  /// Creates options.
  ///
  /// - Precondition: The limits are positive.
  public init(
    byteCountLimit: Int = 64 << 20, lineByteCountLimit: Int = 1 << 20,
    invalidText: InvalidText = .repaired, observation: Observation = .none
  ) {
    precondition(byteCountLimit > 0 && lineByteCountLimit > 0, "a limit of zero accepts nothing")
    self.byteCountLimit = byteCountLimit
    self.lineByteCountLimit = lineByteCountLimit
    self.invalidText = invalidText
    self.observation = observation
  }
}
