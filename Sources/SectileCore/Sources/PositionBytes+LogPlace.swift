// The bytes of a place in a change log: store 16 │ epoch 8 │ salt 8 │ sequence 1…10.
extension PositionBytes {
  /// Reads a place.
  package mutating func place() -> LogPlace? {
    guard let low = number(ofBytes: 8), let high = number(ofBytes: 8),
      let epoch = number(ofBytes: 8), let salt = number(ofBytes: 8), let sequence = shortNumber()
    else { return nil }
    return LogPlace(
      store: UInt128(high) << 64 | UInt128(low), epoch: epoch, sequence: sequence, salt: salt)
  }

  /// Appends a place.
  package static func append(_ place: LogPlace, to bytes: inout [UInt8]) {
    append(UInt64(truncatingIfNeeded: place.store), ofBytes: 8, to: &bytes)
    append(UInt64(truncatingIfNeeded: place.store >> 64), ofBytes: 8, to: &bytes)
    append(place.epoch, ofBytes: 8, to: &bytes)
    append(place.salt, ofBytes: 8, to: &bytes)
    appendShort(place.sequence, to: &bytes)
  }
}
