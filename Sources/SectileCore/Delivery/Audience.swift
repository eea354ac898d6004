/// Who hears of one cycle, and in which epoch it began.
struct Audience {
  let epoch: Int
  let source: any SourceBinding
  /// Compared, never called.
  var delegate: ObjectIdentifier?
  let observers: ObserverList

  /// Whether nobody hears of the cycle but asynchronous consumers.
  var isEmpty: Bool { delegate == nil && observers.isEmpty }
}
