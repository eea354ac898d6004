/// What results come to when everything that was committed is delivered.
struct LatestContents {
  let contents: PlanContents
  let version: Int
  let node: VersionNode
  let batchSize: Int
}

/// What readers of results see.
struct ShownContents {
  let contents: PlanContents
  let version: Int
  let node: VersionNode
  let batchSize: Int
  /// The rows, where a load holds them.
  let view: HeldView?
}
