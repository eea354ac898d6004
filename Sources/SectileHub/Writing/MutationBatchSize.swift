internal import SectileCore

/// How large mutations are together that are sent at once.
///
/// They are in memory several times, and a message that is far larger than what the network takes
/// at once is moved about there again and again.
struct MutationBatchSize {
  /// How many bytes their values have at most, where there is more than one.
  static let byteLimit = 1 << 20

  private var byteCount: Int?

  /// Counts one more; returns whether it goes with those before it, as the first always does.
  mutating func takes(_ changes: [RowMutation]) -> Bool {
    let count = changes.reduce(0) { $0 + $1.byteCount }
    let sum = (byteCount ?? 0) + count
    guard byteCount == nil || sum <= Self.byteLimit else { return false }
    byteCount = sum
    return true
  }
}

extension RowMutation {
  /// About how many bytes its values have.
  fileprivate var byteCount: Int {
    switch self {
    case .insert(_, let values): values.values.reduce(0) { $0 + $1.byteCount }
    case .update(_, let key, _, let values):
      (key + values.values).reduce(0) { $0 + $1.byteCount }
    case .delete(_, let key, _): key.reduce(0) { $0 + $1.byteCount }
    }
  }
}

extension StoredValue {
  fileprivate var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    case .null, .integer, .real: 8
    }
  }
}
