import SectileDataSources
import SectilePresenting
import Testing

@Suite struct ItemAttributesTests {
  @Test func valuesAreFoundByKeyAndType() {
    var attributes = ItemAttributes()
    #expect(attributes.isEmpty)
    attributes[.height] = 44
    #expect(attributes[.height] == 44)
    #expect(attributes[ItemAttributeKey<String>("height")] == nil, "another type")
    attributes[.height] = nil
    #expect(attributes.isEmpty)
  }
}
