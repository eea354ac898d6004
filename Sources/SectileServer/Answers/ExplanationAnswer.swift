#if Server
  internal import Sectile

  extension RequestExplanation {
    /// All of it as JSON, as `sectile explain --json` writes it.
    func document(table: String) -> JSONDocument {
      [
        "v": 2, "table": .string(table), "sql": .string(sql),
        "values": .array(values.map { .value($0) }),
        "queryPlan": .array(queryPlan.map(\.document)),
        "sortedClauses": JSONDocument(sortedClauses),
        "followedTables": .array(
          followedTables.map { followed in
            [
              "table": .string(followed.table),
              "columns": followed.columns.map { JSONDocument($0) } ?? .null,
              "isFollowedByRow": .bool(followed.isFollowedByRow),
            ]
          }),
        "maintenance": [
          "kind": .string("\(maintenance.kind)"), "reason": .string(maintenance.reason),
          "isIncremental": .bool(maintenance.kind.isIncremental),
        ],
        "outsideCommits": [
          "isFollowedByRow": .bool(outsideCommits.isFollowedByRow),
          "reasons": JSONDocument(outsideCommits.reasons),
          "hint": JSONDocument(outsideCommits.hint),
          "isAnsweredByKeys": .bool(outsideCommits.reasonAgainstKeys == nil),
          "reasonAgainstKeys": JSONDocument(outsideCommits.reasonAgainstKeys),
        ],
        "sectionRecount": sectionRecount.map { recount in
          [
            "kind": .string(recount.kind.rawValue), "index": JSONDocument(recount.index),
            "reason": .string(recount.reason),
            "suggestedIndex": recount.suggestedIndex?.document ?? .null,
          ]
        } ?? .null,
        "suggestedIndex": suggestedIndex?.document ?? .null,
      ]
    }
  }

  extension RequestExplanation.IndexSuggestion {
    fileprivate var document: JSONDocument {
      ["name": .string(name), "sql": .string(sql), "reason": .string(reason)]
    }
  }

  extension QueryPlanStep {
    fileprivate var document: JSONDocument {
      ["detail": .string(detail), "steps": .array(steps.map(\.document))]
    }
  }
#endif
