internal import Hummingbird
internal import NIOCore

/// What comes with each request: besides the usual, its connection.
struct ParcelContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The connection, for streams, which have to be cut off from clients that do not read.
  let channel: any Channel

  init(source: Source) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}
