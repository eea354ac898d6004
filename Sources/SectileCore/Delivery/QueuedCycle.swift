/// A cycle that waits in a hub.
struct QueuedCycle: Sendable {
  let cycle: ErasedCycle
  /// Its part in what a commit sets going in compositions; nil for the commit's own.
  let share: WaveShare?
}
