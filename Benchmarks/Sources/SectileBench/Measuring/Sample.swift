/// The time something took, by two clocks, in nanoseconds.
struct Sample: Sendable {
  /// What all threads of this process spent on a processor, in the kernel too.
  var cpu: Double
  /// What a clock on the wall shows.
  var wall: Double

  static func / (sample: Sample, count: Int) -> Sample {
    Sample(cpu: sample.cpu / Double(count), wall: sample.wall / Double(count))
  }

  static func - (later: Sample, earlier: Sample) -> Sample {
    Sample(cpu: later.cpu - earlier.cpu, wall: later.wall - earlier.wall)
  }
}
