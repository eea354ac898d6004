import Synchronization

@testable import SectileCLI

/// An output whose text a test can look at.
final class CapturedOutput: Sendable {
  private let bytes = Mutex<[UInt8]>([])

  /// The output to hand to what is tested.
  var output: Output {
    Output { [self] block in bytes.withLock { $0 += block } }
  }

  /// What was written and flushed.
  var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
}
