/// What was counted for one case: a line of the judge's input.
struct Measurement {
  let name: String
  let cost: Cost

  /// Reads a line, as in `commit 65000 40`: the case, instructions and allocations per operation.
  init(line: some StringProtocol) throws {
    let words = line.split(separator: " ")
    guard words.count == 3, let instructions = Int(words[1]), let allocations = Int(words[2]),
      instructions > 0, allocations >= 0
    else {
      throw GuardError("'\(line)' is no measurement")
    }
    name = String(words[0])
    cost = Cost(instructions: instructions, allocations: allocations)
  }
}
