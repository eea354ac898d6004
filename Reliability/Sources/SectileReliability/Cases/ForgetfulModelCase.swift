internal import Sectile

/// Changes one row behind the model's back: the check must see it.
struct ForgetfulModelCase: ReliabilityCase {
  let name = "control-model"
  let summary = "one row is changed behind the model's back"
  let isControl = true

  func run(seed: UInt64, tally: inout Tally) throws {
    let folder = try Folder()
    let store = try Store.open(at: folder.database, migrations: Model.migrations)
    var model = Model(seed: seed)
    for _ in 0..<5 {
      try model.write(to: store)
      model.advance()
    }
    try store.write { transaction in
      try transaction.execute(
        "UPDATE entry SET batch = batch + 1 WHERE id % 2 = ?", Int64(seed % 2))
    }
    try store.close()
    tally.cycles += 1
    let problem = try FileCheck.problem(
      at: folder.database, of: model, acknowledged: model.number, begun: model.number)
    if let problem { throw Finding(problem) }
  }
}
