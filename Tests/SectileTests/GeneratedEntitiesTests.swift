#if Macros
  import Foundation
  import Sectile
  import SectileTestHelpers
  import Testing

  /// Reads rows by the structs that `sectile entities` writes with the macro.
  @Suite struct GeneratedEntitiesTests {
    @Test func rowsAreReadAndRelationshipsLead() throws {
      let folder = try TemporaryFolder()
      let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../SectileCLITests/Fixtures/entities.sql")
      let path = folder.file("data.sqlite")
      try InspectionConnection(path: path, access: .create).run(
        String(contentsOf: file, encoding: .utf8)
      ) { _ in }
      let store = try Store.open(at: path)
      let customers = try store.read { try $0.fetchAll(FetchRequest<Customer>().sort(by: \.id)) }
      #expect(customers.map(\.name) == ["Ada", "Bob"])
      #expect(customers[0].seenAt == Date(timeIntervalSince1970: 1_769_903_999))
      #expect(customers[0].digest == customers[0].token)
      #expect(customers[0].tags == ["a", "b"])
      #expect(customers[0].anything?.storedValue == .integer(1))
      let products = try store.read {
        try $0.fetchAll(FetchRequest<Product>().filter { $0.parent.name == "Saw" })
      }
      #expect(products.map(\.name) == ["Blade"])
      let shipments = try store.read {
        try $0.fetchAll(FetchRequest<Shipment>().filter { $0.purchaseLine.quantity == 1 })
      }
      #expect(shipments.map(\.number) == [7])
      let key = PurchaseLine.ID(purchaseID: shipments[0].purchaseID, idColumn: 2)
      let line = try store.read { try $0.fetchOne(PurchaseLine.self, key: key) }
      #expect(line?.product == products.first?.sku)
      try store.close()
    }
  }
#endif
