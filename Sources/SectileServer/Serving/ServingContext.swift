#if Server
  internal import Hummingbird

  /// What comes with each request of a server of its own: besides the usual, whose it is.
  struct ServingContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The session; empty where none is needed.
    var session = ""

    init(source: Source) {
      coreContext = CoreRequestContextStorage(source: source)
    }
  }
#endif
