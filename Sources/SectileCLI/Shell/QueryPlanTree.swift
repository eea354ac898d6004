internal import Sectile

/// A query plan drawn as a tree, as sqlite3's shell draws it.
enum QueryPlanTree {
  typealias Step = (id: Int64, parent: Int64, detail: String)

  /// Returns the tree's lines, safe to show; none where there is no step.
  static func lines(of steps: [Step]) -> [String] {
    if steps.isEmpty { return [] }
    var children: [Int64: [Step]] = [:]
    for step in steps { children[step.parent, default: []].append(step) }
    var lines = ["QUERY PLAN"]
    func add(below parent: Int64, indentation: String) {
      // Taken out, so that steps which are each other's parents end as well.
      let found = children.removeValue(forKey: parent) ?? []
      for (offset, step) in found.enumerated() {
        let isLast = offset == found.count - 1
        lines.append(indentation + (isLast ? "`--" : "|--") + TerminalText.escaped(step.detail))
        add(below: step.id, indentation: indentation + (isLast ? "   " : "|  "))
      }
    }
    add(below: 0, indentation: "")
    return lines
  }
}
