package import SectileCore

/// A source that is made of others, and says of which.
package protocol InputTelling: AnyObject {
  /// The sources that it is made of now, in order.
  var inputs: [any DataSource] { get }

  /// What fetches pages into what it is made of, where that is none of the inputs.
  var pageFetcher: (any PageFetching)? { get }
}

extension DataSource {
  /// What fetches pages of this source, or of those it is made of at any depth, when it is asked:
  /// each once, in order.
  ///
  /// - Complexity: O(*i*) for *i* sources in the tree of compositions.
  package var pageFetchers: [any PageFetching] {
    if let fetcher = self as? any PageFetching { return [fetcher] }
    guard let source = self as? any InputTelling else { return [] }
    if let fetcher = source.pageFetcher { return [fetcher] }
    var known: Set<ObjectIdentifier> = []
    return source.inputs.flatMap { $0.pageFetchers }
      .filter { known.insert(ObjectIdentifier($0)).inserted }
  }
}
