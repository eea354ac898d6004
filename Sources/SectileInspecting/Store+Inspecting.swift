package import Sectile

extension Store {
  /// Opens any SQLite file to follow it: read-only, never created, and with a schema that reaches
  /// no function with a side effect.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - isImmutable: Whether to take it for a file that nobody changes: then no change is noticed.
  ///   - polling: How often to look for what other processes wrote; nil for never.
  ///   - busyTimeout: How long to wait for another connection's lock.
  ///   - change: Changes what else there is to choose.
  /// - Returns: The store.
  /// - Throws: `StoreError`.
  package static func inspecting(
    _ path: String, isImmutable: Bool = false,
    polling: Duration? = StoreConfiguration().externalChangePolling,
    busyTimeout: Duration = StoreConfiguration().busyTimeout,
    _ change: (inout StoreConfiguration) -> Void = { _ in }
  ) throws -> Store {
    var configuration = StoreConfiguration()
    configuration.isReadOnly = true
    configuration.isImmutable = isImmutable
    configuration.trustsSchema = false
    configuration.trustsHarmlessSchema = true
    configuration.externalChangePolling = polling
    configuration.isLookedAtByOwner = polling == nil
    configuration.busyTimeout = busyTimeout
    configuration.valueByteCountLimit = Int(InspectionConnection.lengthLimit)
    change(&configuration)
    return try Store.open(at: path, configuration: configuration)
  }
}
