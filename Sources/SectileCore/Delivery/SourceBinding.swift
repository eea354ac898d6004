/// The source on whose behalf a hub makes callbacks, held weakly.
protocol SourceBinding: AnyObject, Sendable {
  /// Whether the source still exists, as far as it does not say so itself.
  var isAlive: Bool { get }
}
