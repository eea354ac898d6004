/// A load that was announced and is not ended, and who hears of it.
struct OpenCycle {
  let key: LoadKey
  var audience: Audience
  /// What went wrong inside of it so far, first.
  var failure: (any Error)?
}
