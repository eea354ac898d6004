internal import SectileService

/// What an operator chooses.
public struct ServiceOptions: Sendable {
  /// Where the database is.
  public var database: String
  /// How many connections read beside the one that writes.
  public var readers = 4
  /// The address to listen at.
  public var host = "127.0.0.1"
  /// The port to listen at; 0 for any that is free.
  public var port = 8080
  /// The folder of the backups, which is created; nil for none.
  public var backups: String?
  /// How much time passes between two backups.
  public var backupInterval = Duration.seconds(3_600)
  /// How many backups are kept; the oldest go first.
  public var keptBackups = 24

  /// Creates options.
  public init(database: String) { self.database = database }

  /// When backups are made, and which are kept.
  var backupRules: BackupService.Configuration {
    var rules = BackupService.Configuration()
    rules.name = "sample"
    rules.schedule = .every(backupInterval)
    rules.retention = .init(latest: keptBackups, days: 0, weeks: 0)
    return rules
  }
}
