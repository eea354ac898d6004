// What is delivered elsewhere comes there by hops. Whatever a callback causes is put off there too.
extension CallbackGate {
  /// Runs a job that makes callbacks, inside a drain that the gate knows as its caller, then
  /// delivers what the callbacks caused.
  func perform(_ job: (DrainScope) -> Void) {
    DrainScope.perform { drain in
      begin(drain.identity)
      job(drain)
      end()
    }
  }
}
