internal import CThread

/// Which drain the calling code runs inside of, for those who only compare it.
///
/// A drain knows its hubs, and a hub its gate and its observers: these know no drain.
enum CurrentDrain {
  /// The identity of ``DrainScope/current``.
  static var identity: ObjectIdentifier? {
    sectile_thread_value().map {
      ObjectIdentifier(Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue())
    }
  }
}
