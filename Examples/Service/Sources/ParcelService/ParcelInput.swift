/// What a client says of a parcel.
struct ParcelInput: Decodable {
  let status: String
  let recipient: String
  let weight: Int
  /// When it was said, in microseconds since 1970; by default now.
  let updated: Int64?

  /// What the longest text of a parcel may take, in bytes.
  private static let longestText = 200
  /// Numbers up to this are exact in every reader of JSON.
  private static let largestNumber = Int64(1) << 53 - 1

  /// Returns the parcel.
  ///
  /// - Parameter id: Its number.
  /// - Returns: The parcel.
  /// - Throws: A `Refusal` where it cannot be one.
  func parcel(id: Int64) throws -> Parcel {
    guard weight > 0, (1...Self.longestText).contains(status.utf8.count),
      (1...Self.longestText).contains(recipient.utf8.count),
      (updated ?? 0).magnitude <= Self.largestNumber.magnitude
    else { throw Refusal.unsuitable }
    return Parcel(
      id: id, status: status, recipient: recipient, weight: weight,
      updated: updated ?? Parcel.now)
  }
}
