package import Sectile

extension RequestExplanation {
  /// Returns all of it as a JSON document.
  ///
  /// - Parameter plan: The request that is explained.
  /// - Returns: The document.
  package func document(of plan: FetchPlan) -> JSONValue {
    [
      "v": JSONValue(JSONTag.format), "table": .string(plan.table),
      "columns": JSONValue(plan.itemColumns),
      "key": JSONValue(plan.isByPlace ? [] : plan.keyColumns), "sql": .string(sql),
      "values": .array(values.map { .value($0) }),
      "queryPlan": .array(queryPlan.map(\.document)),
      "sortedClauses": JSONValue(sortedClauses),
      "followedTables": .array(
        followedTables.map { followed in
          [
            "table": .string(followed.table),
            "columns": followed.columns.map { JSONValue($0) } ?? .null,
            "isFollowedByRow": .bool(followed.isFollowedByRow),
          ]
        }),
      "maintenance": [
        "kind": .string("\(maintenance.kind)"), "reason": .string(maintenance.reason),
        "isIncremental": .bool(maintenance.kind.isIncremental),
      ],
      "outsideCommits": [
        "isFollowedByRow": .bool(outsideCommits.isFollowedByRow),
        "reasons": JSONValue(outsideCommits.reasons),
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
      "touchedRowCost": touchedRowCost?.document ?? .null,
      "suggestedIndex": suggestedIndex?.document ?? .null,
    ]
  }
}

extension RequestExplanation.TouchedRowCost {
  fileprivate var document: JSONValue {
    [
      "questions": .array(questions.map(\.document)),
      "questionCount": JSONValue(questionCount),
      "unaskedTables": JSONValue(unaskedTables),
      "rereadingSQL": .string(rereadingSQL),
      "rereadingPlan": .array(rereadingPlan.map(\.document)),
      "keepsSums": keepsSums.map { .bool($0) } ?? .null,
      "suggestedIndexes": .array(suggestedIndexes.map(\.document)),
    ]
  }
}

extension RequestExplanation.Question {
  fileprivate var document: JSONValue {
    [
      "table": .string(table), "answer": .string(answer.rawValue),
      "keyColumns": JSONValue(keyColumns), "sql": .string(sql),
      "values": .array(values.map { .value($0) }),
      "queryPlan": .array(queryPlan.map(\.document)),
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
