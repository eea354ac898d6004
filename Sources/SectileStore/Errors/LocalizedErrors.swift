public import Foundation
public import SectileCore

// What Foundation calls a localized description is the message: without it, who prints that reads
// "The operation could not be completed".

extension StoreError: LocalizedError {
  /// The message, for those who print `localizedDescription`.
  public var errorDescription: String? { message }
  /// The hint.
  public var recoverySuggestion: String? { hint }
}

extension DataSourceError: LocalizedError {
  /// The message, for those who print `localizedDescription`.
  public var errorDescription: String? { message }
  /// The hint.
  public var recoverySuggestion: String? { hint }
}

extension ChangesetError: LocalizedError {
  /// The message, for those who print `localizedDescription`.
  public var errorDescription: String? { message }
  /// The hint.
  public var recoverySuggestion: String? { hint }
}
