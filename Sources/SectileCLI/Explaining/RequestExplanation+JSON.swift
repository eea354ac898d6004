internal import Sectile

extension RequestExplanation {
  /// Returns all of it as a JSON document.
  func document(table: String) -> JSONValue {
    [
      "v": JSONValue(ValueText.jsonVersion), "table": .string(table), "sql": .string(sql),
      "values": .array(values.map(JSONValue.init)),
      "queryPlan": .array(queryPlan.map(\.document)),
      "sortedClauses": .array(sortedClauses.map { .string($0) }),
      "followedTables": .array(
        followedTables.map { followed in
          [
            "table": .string(followed.table),
            "columns": followed.columns.map { .array($0.map { .string($0) }) } ?? .null,
            "isFollowedByRow": .bool(followed.isFollowedByRow),
          ]
        }),
      "maintenance": [
        "kind": .string("\(maintenance.kind)"), "reason": .string(maintenance.reason),
        "isIncremental": .bool(maintenance.kind.isIncremental),
      ],
      "outsideCommits": [
        "isFollowedByRow": .bool(outsideCommits.isFollowedByRow),
        "reasons": .array(outsideCommits.reasons.map { .string($0) }),
        "hint": JSONValue(outsideCommits.hint),
        "isAnsweredByKeys": .bool(outsideCommits.reasonAgainstKeys == nil),
        "reasonAgainstKeys": JSONValue(outsideCommits.reasonAgainstKeys),
      ],
      "sectionRecount": sectionRecount.map { recount in
        [
          "kind": .string(recount.kind.rawValue), "index": JSONValue(recount.index),
          "reason": .string(recount.reason),
          "suggestedIndex": recount.suggestedIndex?.document ?? .null,
        ]
      } ?? .null,
      "suggestedIndex": suggestedIndex?.document ?? .null,
    ]
  }
}

extension RequestExplanation.IndexSuggestion {
  fileprivate var document: JSONValue {
    ["name": .string(name), "sql": .string(sql), "reason": .string(reason)]
  }
}

extension QueryPlanStep {
  fileprivate var document: JSONValue {
    ["detail": .string(detail), "steps": .array(steps.map(\.document))]
  }
}
