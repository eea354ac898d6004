extension Wave {
  /// The waves of the cycle inside whose callbacks the calling code runs.
  package static var current: [Wave] { DrainScope.current?.waves ?? [] }
}
