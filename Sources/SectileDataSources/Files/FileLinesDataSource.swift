public import SectileCore

/// A source over the lines of a text file.
///
/// ```swift
/// let hosts = FileLinesDataSource(
///   name: "hosts", path: path, options: FileLinesOptions(observation: .polling()))
/// hosts.load()
/// ```
///
/// See ``FileLinesFetcher`` for what is read, and ``FetchedDataSource`` for what is delivered.
public typealias FileLinesDataSource = FetchedDataSource<FileLinesFetcher>

extension FetchedDataSource where Fetcher == FileLinesFetcher {
  /// Creates a source over the lines of a text file.
  ///
  /// - Parameters:
  ///   - name: What a reader would call the source.
  ///   - path: Where the file is.
  ///   - options: What is accepted, and when the file is looked at for changes.
  ///   - section: The section's header; nil stands for one without a title.
  ///   - limit: How many lines are kept, and what happens beyond.
  ///   - delivery: Where callbacks are made.
  public convenience init(
    name: String, path: String, options: FileLinesOptions = FileLinesOptions(),
    section: SourceSection? = nil, limit: FetchLimit = .failing(),
    delivery: CallbackDelivery = .immediate
  ) {
    self.init(
      name: name, fetcher: FileLinesFetcher(path: path, options: options), section: section,
      limit: limit, delivery: delivery)
  }
}
