/// What results come to when everything that was committed is delivered.
struct LatestContents {
  let contents: PlanContents
  let version: Int
  let node: VersionNode
  let batchSize: Int
}
