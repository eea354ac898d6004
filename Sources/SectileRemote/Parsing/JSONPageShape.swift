/// Where in a body things are.
struct JSONPageShape: Sendable {
  let items: [String]
  let cursor: [String]?
  let link: [String]?
  let total: [String]?
  /// How many elements that are no items are reported on; nil where one fails the page.
  var reportLimit: Int?
}
