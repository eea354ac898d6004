/// Ends the run if a result is not what it must be.
func check(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  guard condition else { throw GuardError(message()) }
}
