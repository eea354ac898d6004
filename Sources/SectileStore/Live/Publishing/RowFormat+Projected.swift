import SectileCore

extension RowFormat where Item: Identifiable, Item.ID: EntityKey {
  /// Items made of the columns of a projected request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - plan: Its plan; the item's own columns are the first of the plan's.
  /// - Returns: The format; nobody writes with it.
  static func projected<E>(
    from request: ProjectedRequest<E, Item>, _ plan: FetchPlan
  ) -> RowFormat {
    let reader = ProjectedReader(request, plan)
    let keyPositions = plan.keyColumns.compactMap { plan.itemColumns.firstIndex(of: $0) }
    return RowFormat(columns: plan.itemColumns, keyForms: request.keyForms) { statement, first in
      let item = try reader.item(of: statement, at: first)
      let key = try statement.key(at: keyPositions.map { first + $0 })
      guard try key.id(as: Item.ID.self, forms: request.keyForms) == item.id else {
        throw StoreError(
          .decodingFailed,
          message: "The id of an item of \(plan.table) is not the key of its row, "
            + "\(plan.keyColumns.joined(separator: ", ")).",
          hint: "Let id be made of these columns, in this order.", rowKey: key.values)
      }
      return item
    } encode: { _, _, _, _ in
      throw StoreError(
        .encodingFailed, message: "A row of selected columns of \(plan.table) cannot be written.",
        hint: "Write to the tables that it reads.")
    }
  }
}

/// Makes items of the rows of a projected request.
struct ProjectedReader<Item: Sendable>: Sendable {
  private let layout: RowLayout
  private let decode: @Sendable (inout RowReader) throws -> Item

  init<E>(_ request: ProjectedRequest<E, Item>, _ plan: FetchPlan) {
    let fields = request.fields
    layout = RowLayout(
      table: plan.table, columns: Array(plan.itemColumns.prefix(fields.count)), primaryKey: [],
      forms: fields.map(\.form))
    decode = request.decode
  }

  /// Makes an item of the row that a statement stands on.
  func item(of statement: RawStatement, at firstColumn: Int) throws -> Item {
    var row = RowReader(statement: statement.handle, firstColumn: firstColumn, layout: layout)
    return try decode(&row)
  }
}
