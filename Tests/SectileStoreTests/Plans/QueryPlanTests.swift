import SectileCore
import SectileStore
import Testing

/// The statements of a plan whose rows are those of a query: values stand in the order of their
/// marks, the keys' at the end.
@Suite struct QueryPlanTests {
  private func plan(_ keyColumns: [String]) -> FetchPlan {
    var plan = FetchPlan(
      query: SQLFragment("SELECT a, b, c FROM t WHERE a <> ? -- seven\n; -- end", [7]),
      keyColumns: keyColumns, itemColumns: ["a", "b", "c"])
    plan.filter = SQLFragment("c > ?", [1])
    plan.section = FetchPlan.Section(
      identity: FetchPlan.SortTerm(expression: SQLFragment("b % ?", [2])))
    plan.sort = [FetchPlan.SortTerm(expression: SQLFragment("c + ?", [3]))]
    return plan
  }

  @Test func theQueryStandsInFrom() {
    let plan = plan(["a"])
    #expect(plan.query == SQLFragment("SELECT a, b, c FROM t WHERE a <> ?", [7]))
    #expect(plan.source == SQLFragment("(SELECT a, b, c FROM t WHERE a <> ?) AS \"query\"", [7]))
    #expect(plan.storedTable == nil)
    #expect(plan.term("a").column == nil)
    var other = plan
    other.table = "some \"thing\""
    #expect(other.source.sql.hasSuffix(" AS \"some \"\"thing\"\"\""))
  }

  @Test func valuesOfFromAreBetweenThoseOfColumnsAndConditions() {
    let sql = PlanSQL(plan(["a"]))
    #expect(sql.selectRows.values == [2, 3, 7, 1, 2, 3])
    #expect(sql.selectRow.values == [2, 3, 7, 1])
    #expect(sql.selectRow.keyParameter == 5)
    #expect(sql.selectOrdering.values == [2, 3, 7])
    #expect(sql.selectOrdering.keyParameter == 4)
    #expect(sql.selectItems(count: 2).values == [7])
    #expect(sql.selectItemsInOrder.values == [7, 1, 2, 3])
    #expect(sql.selectCount.values == [7, 1])
    #expect(sql.selectSections.values == [2, 7, 1, 2, 2])
  }

  @Test func rowsAreSelectedByTheirKeys() {
    let from = "FROM (SELECT a, b, c FROM t WHERE a <> ?) AS \"query\""
    #expect(
      PlanSQL(plan(["a"])).selectItems(count: 3).sql
        == "SELECT \"query\".\"a\", \"query\".\"a\", \"query\".\"b\", \"query\".\"c\" \(from)"
        + " WHERE \"query\".\"a\" IN (?, ?, ?)")
    let pair = "(\"query\".\"a\" IS ? AND \"query\".\"b\" IS ?)"
    #expect(
      PlanSQL(plan(["a", "b"])).selectItems(count: 2).sql
        == "SELECT \"query\".\"a\", \"query\".\"b\", \"query\".\"a\", \"query\".\"b\", \"query\".\"c\""
        + " \(from) WHERE \(pair) OR \(pair)")
  }
}
