/// Goals, figures and verdicts as lines of aligned text.
enum VerdictTable {
  static func text(_ verdicts: [Verdict], isQuick: Bool) -> String {
    let primary = verdicts.filter(\.isPrimary)
    let others = verdicts.filter { !$0.isPrimary }
    var lines = [
      "", "Goals, each at its stated size, or where it states none at the worst:", heading,
    ]
    lines += primary.map(line)
    lines.append(count(primary))
    if !others.isEmpty {
      lines += ["", "The same limits at other sizes and places:", heading]
      lines += others.map(line)
      lines.append(count(others))
    }
    if isQuick {
      lines += [
        "",
        "Quick: three rounds and at most 100,000 rows; goals stated at 1M are judged at 100k.",
      ]
    }
    return lines.joined(separator: "\n")
  }

  private static let widths = [16, 44, 6, 8, 13, 18, 9, 8, 9, 9, 0]
  private static let heading = TextLine.text(
    ["goal", "what", "n", "where", "value", "25–75 %", "wall", "rounds", "must", "aim", "verdict"],
    widths)

  private static func line(_ verdict: Verdict) -> String {
    TextLine.text(
      [
        verdict.id, verdict.what, SizeText.text(verdict.size), verdict.storage.rawValue,
        "\(FigureTable.number(verdict.value)) \(verdict.unit.rawValue)",
        "\(FigureTable.number(verdict.lower))–\(FigureTable.number(verdict.upper))",
        verdict.wall.map(FigureTable.number) ?? "", "\(verdict.rounds)",
        verdict.must.map(FigureTable.number) ?? "", verdict.aim.map(FigureTable.number) ?? "",
        verdict.text,
      ], widths)
  }

  private static func count(_ verdicts: [Verdict]) -> String {
    "\(verdicts.count { $0.mustMet == true }) of \(verdicts.count { $0.must != nil }) musts met, "
      + "\(verdicts.count { $0.aimMet == true }) aims"
  }
}
