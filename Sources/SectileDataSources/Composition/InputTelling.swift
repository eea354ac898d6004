package import SectileCore

/// A source that is made of others, and says of which.
package protocol InputTelling: AnyObject {
  /// The sources that it is made of now, in order.
  var inputs: [any DataSource] { get }
}

extension DataSource {
  /// The sources that fetch pages when they are asked: this one, or those it is made of at any depth,
  /// each once, in order.
  ///
  /// - Complexity: O(*i*) for *i* sources in the tree of compositions.
  package var pageFetchers: [any PageFetching] {
    if let fetcher = self as? any PageFetching { return [fetcher] }
    guard let inputs = (self as? any InputTelling)?.inputs else { return [] }
    var known: Set<ObjectIdentifier> = []
    return inputs.flatMap { $0.pageFetchers }.filter { known.insert(ObjectIdentifier($0)).inserted }
  }
}
