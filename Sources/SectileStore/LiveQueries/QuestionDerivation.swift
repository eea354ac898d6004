import SectileCore

/// Works out the questions of a query for the tables that a commit has touched.
///
/// A question is the query with one naming of a table replaced by its touched rows, reduced to
/// joins and conditions. So much is left out of it that it names too many rows, never too few:
///
/// ```sql
/// SELECT o.id, c.name, count(i.id) FROM "order" o JOIN customer c ON … LEFT JOIN item i ON …
///   GROUP BY o.id
/// SELECT DISTINCT o.id FROM touched_customer c JOIN "order" o ON …
/// SELECT DISTINCT o.id FROM touched_item i JOIN "order" o ON … JOIN customer c ON …
/// ```
///
/// The rules that make it exact are those of ``QuestionRule``; note 0063 has them with the proof.
package struct QuestionDerivation {
  /// Occurrences of tables by their numbers.
  typealias Occurrences = Set<Int>

  let query: SelectQuery
  let key: [Int]
  private let derivedColumns: DerivedColumns
  /// The tables that were touched, in lower case.
  let touched: Set<String>
  /// Those of them of which rows are not what they were, or are gone.
  let withFormerRows: Set<String>
  private let omitted: Set<QuestionRule>
  private let shadow: (_ table: String, _ hasPresentRows: Bool) -> String

  /// So many touched occurrences with former rows may meet in one row: each set of them is a
  /// question.
  static let meetingLimit = 4
  /// So many questions are asked at most.
  static let questionLimit = 96

  /// Prepares to work out questions.
  ///
  /// - Parameters:
  ///   - reading: The query.
  ///   - key: The columns that tell its rows apart.
  ///   - touched: The tables that were touched, in lower case.
  ///   - withFormerRows: Those of them that have former rows.
  ///   - omitted: Rules that are not applied, to see what they are good for.
  ///   - shadow: Returns what stands for the touched rows of a table in FROM: all of them, or those
  ///     that were there before alone.
  package init(
    _ reading: SelectReading, key: [String], touched: Set<String>, withFormerRows: Set<String>,
    leavingOut omitted: Set<QuestionRule> = [],
    shadow: @escaping (_ table: String, _ hasPresentRows: Bool) -> String
  ) {
    query = reading.query
    derivedColumns = reading.derivedColumns
    self.key = reading.positions(of: key) ?? []
    self.touched = touched
    self.withFormerRows = withFormerRows
    self.omitted = omitted
    self.shadow = shadow
  }

  func applies(_ rule: QuestionRule) -> Bool { !omitted.contains(rule) }

  /// What stands in FROM for a table whose touched rows are asked about.
  func shadowName(of table: String, _ hasPresentRows: Bool) -> String {
    shadow(table, hasPresentRows)
  }

  /// Returns the questions; nil where there are too many.
  package func questions() -> [Question]? {
    guard let sets = occurrenceSets() else { return nil }
    var questions: [Question] = []
    for (set, hasPresentRows) in sets {
      for draft in drafts(query, shadowing: set, hasPresentRows, under: Taint()) {
        for variant in draft.variants(for: key) {
          let question = variant.question(for: key)
          if !questions.contains(question) { questions.append(question) }
          guard questions.count <= Self.questionLimit else { return nil }
        }
      }
    }
    return questions
  }

  func isTouched(_ query: SelectQuery) -> Bool {
    query.tables.values.contains { touched.contains($0) }
  }

  /// Whether a query in an expression reads a touched table.
  func isTouched(_ expression: SelectExpression) -> Bool {
    expression.queries.contains(where: isTouched)
  }

  // MARK: Which occurrences are asked about together

  /// Returns each occurrence alone, by its rows before and after.
  ///
  /// Besides, sets of those that can meet in one row of a FROM, by their former rows. Nil where
  /// these are too many.
  private func occurrenceSets() -> [(Occurrences, hasPresentRows: Bool)]? {
    let occurrences = query.tables.filter { touched.contains($0.value) }
    guard applies(.occurrence) else {
      return Set(occurrences.values).sorted().map { table in
        (Set(occurrences.filter { $0.value == table }.keys), true)
      }
    }
    var sets: [(Occurrences, hasPresentRows: Bool)] =
      occurrences.keys.sorted().map { ([$0], true) }
    guard applies(.former) else { return sets }
    for meeting in meetings(of: query) {
      let former = meeting.filter { place in
        occurrences[place].map(withFormerRows.contains) ?? false
      }
      guard former.count <= Self.meetingLimit else { return nil }
      for bits in 0..<(1 << former.count) where bits.nonzeroBitCount >= 2 {
        let set = Set(former.indices.filter { bits >> $0 & 1 == 1 }.map { former[$0] })
        if !sets.contains(where: { $0.0 == set && !$0.hasPresentRows }) {
          sets.append((set, false))
        }
      }
    }
    return sets
  }

  /// Returns the occurrences that a row of one FROM is made of, derived tables included.
  ///
  /// There is one list for each way through compounds. Queries in expressions have lists of their
  /// own.
  private func meetings(of query: SelectQuery) -> [[Int]] {
    var found: [[Int]] = []
    func visit(_ query: SelectQuery, isScope: Bool) {
      if isScope { found += rows(of: query) }
      for core in query.cores {
        for source in core.sources {
          if case .query(let inner) = source.content { visit(inner, isScope: false) }
        }
        for inner in core.expressions.flatMap(\.queries) { visit(inner, isScope: true) }
      }
    }
    visit(query, isScope: true)
    return found
  }

  private func rows(of query: SelectQuery) -> [[Int]] {
    query.cores.flatMap { core in
      core.sources.reduce([[]]) { lists, source in
        switch source.content {
        case .table(_, let occurrence): lists.map { $0 + [occurrence] }
        case .query(let inner):
          lists.flatMap { list in rows(of: inner).map { list + $0 } }
        }
      }
    }
  }

  // MARK: Drafts

  /// Returns drafts whose rows stand for all rows of a query that can have changed by some
  /// occurrences; for none, those for all rows that it can have now.
  func drafts(
    _ query: SelectQuery, shadowing set: Occurrences, _ hasPresentRows: Bool, under outer: Taint
  ) -> [QuestionDraft] {
    switch query {
    case .core(let core): return drafts(core, shadowing: set, hasPresentRows, under: outer)
    case .compound(let compound):
      var arms = [compound.first, compound.second].filter { arm in
        set.isEmpty || !set.isDisjoint(with: arm.tables.keys)
      }
      if set.isEmpty, compound.operation == .except { arms = [compound.first] }
      if !applies(.setOperation), [.except, .intersect].contains(compound.operation), !set.isEmpty {
        arms = set.isDisjoint(with: compound.first.tables.keys) ? [] : arms
      }
      let unlike = applies(.arms) ? unlikeColumns(of: compound) : []
      return arms.flatMap { arm in
        drafts(arm, shadowing: set, hasPresentRows, under: outer).map { draft in
          var draft = draft
          for column in unlike {
            draft.columns[column] = nil
            draft.optional[column] = nil
          }
          return draft
        }
      }
    }
  }

  private func drafts(
    _ core: SelectCore, shadowing set: Occurrences, _ hasPresentRows: Bool, under outer: Taint
  ) -> [QuestionDraft] {
    let isInFrom =
      set.isEmpty || core.sources.contains { !set.isDisjoint(with: $0.tables.keys) }
    guard !isInFrom else {
      return CoreQuestions(core, in: self, shadowing: set, hasPresentRows, under: outer).drafts
        .map(\.draft)
    }
    // Inside of a query of an expression: its FROM and its conditions join the outer ones.
    var result: [QuestionDraft] = []
    for expression in core.expressions {
      for query in expression.queries where !set.isDisjoint(with: query.tables.keys) {
        let bases = CoreQuestions(
          core, in: self, shadowing: [], hasPresentRows, under: outer, isBase: true)
        for base in bases.drafts {
          for inner in drafts(query, shadowing: set, hasPresentRows, under: base.taint) {
            var draft = base.draft
            draft.from = inner.from + SQLFragment(", ") + base.draft.from
            draft.conditions =
              inner.conditions + membership(of: expression, in: inner, under: base.taint)
              + base.draft.conditions
            result.append(draft)
          }
        }
      }
    }
    return result
  }

  /// What `x IN (SELECT y)` says about one row of the query, NULL included; nothing for other
  /// expressions.
  private func membership(
    of expression: SelectExpression, in draft: QuestionDraft, under taint: Taint
  ) -> [SQLFragment] {
    guard let left = expression.memberOfQuery, draft.columns.count == 1,
      let column = draft.columns[0], !taint.hits(left), left.queries.isEmpty
    else { return [] }
    let (member, element) = (left.fragment, column.inParentheses)
    var condition =
      SQLFragment("(") + member + SQLFragment(" IN (SELECT ") + element + SQLFragment(")")
    if applies(.notIn) {
      condition =
        condition + SQLFragment(" OR ") + element + SQLFragment(" IS NULL OR ") + member
        + SQLFragment(" IS NULL")
    }
    return [condition + SQLFragment(")")]
  }

  // MARK: Columns that are not fixed

  /// The columns whose arms differ in affinity or collation: whether SQLite compares them as the
  /// first arm, or each as itself, depends on the plan.
  func unlikeColumns(of query: SelectQuery) -> Set<Int> {
    guard applies(.arms) else { return [] }
    switch query {
    case .compound(let compound): return unlikeColumns(of: compound)
    case .core(let core):
      let isUnlike = core.sources.contains { source in
        if case .query(let inner) = source.content {
          !unlikeColumns(of: inner).isEmpty
        } else {
          false
        }
      }
      return isUnlike ? Set(core.items.indices) : []
    }
  }

  private func unlikeColumns(of compound: SelectCompound) -> Set<Int> {
    let (first, second) = (compound.first.items, compound.second.items)
    let inside = unlikeColumns(of: compound.first).union(unlikeColumns(of: compound.second))
    return inside.union(
      first.indices.filter { place in
        first[place].trait != second[place].trait || first[place].trait == .unknown
      })
  }

  /// The columns of which one spelling was chosen among equal ones: `a` or `A`, 1 or 1.0.
  func spelledColumns(of query: SelectQuery) -> Set<Int> {
    guard applies(.spelling), choosesSpelling(query) else { return [] }
    return Set(
      query.items.indices.filter {
        !query.items[$0].trait.isExact && !derivedColumns.isConstant($0, of: query)
      })
  }

  private func choosesSpelling(_ query: SelectQuery) -> Bool {
    switch query {
    case .core(let core): core.isDistinct || core.groups?.isEmpty == false
    case .compound(let compound):
      compound.operation != .unionAll || choosesSpelling(compound.first)
        || choosesSpelling(compound.second)
    }
  }

  /// Whether a query groups rows, so that all of them are read for it.
  func isHeavy(_ query: SelectQuery) -> Bool {
    query.cores.contains { $0.groups != nil }
  }
}

/// What can be something else than a question sees: the columns of some sources, and single columns
/// that are made of many rows.
struct Taint {
  var sources: Set<String> = []
  var columns: Set<SelectColumn> = []

  func hits(_ expression: SelectExpression) -> Bool {
    expression.columns.contains { sources.contains($0.source) || columns.contains($0) }
  }

  func hitsColumn(of expression: SelectExpression) -> Bool {
    expression.columns.contains(where: columns.contains)
  }
}
