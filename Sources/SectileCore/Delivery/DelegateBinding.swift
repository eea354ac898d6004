/// The delegate of a source, held weakly, whatever the source's items are.
protocol DelegateBinding: AnyObject, Sendable {
  /// Whether the delegate still exists.
  var isAlive: Bool { get }

  /// Tells the delegate, unless it or the source is gone.
  ///
  /// - Precondition: The source and the event are those of the delegate's items.
  func receive(_ event: ErasedEvent, from source: any SourceBinding)
}
