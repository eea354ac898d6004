/// A train that leaves, as a board shows it.
public struct Departure: Hashable, Sendable {
  /// The train's number.
  public let train: Int
  /// Where it goes.
  public let destination: String
  /// How many minutes are left.
  public let minutes: Int

  /// Creates a departure.
  public init(train: Int, destination: String, minutes: Int) {
    self.train = train
    self.destination = destination
    self.minutes = minutes
  }
}

/// A train and when it leaves, in minutes from the beginning.
public struct TimetableEntry: Hashable, Sendable {
  /// The train's number, which no other train has.
  public let train: Int
  /// Where it goes.
  public let destination: String
  /// The platform it leaves from.
  public let platform: String
  /// When it leaves.
  public let minute: Int

  /// Creates an entry.
  public init(train: Int, destination: String, platform: String, minute: Int) {
    self.train = train
    self.destination = destination
    self.platform = platform
    self.minute = minute
  }
}
