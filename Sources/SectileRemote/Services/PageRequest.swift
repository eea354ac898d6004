/// What is asked of a service for one page: the parameters that name it, or its address.
public struct PageRequest: Hashable, Sendable {
  /// A name and a value in the query of the address; neither is escaped.
  public struct Parameter: Hashable, Sendable {
    /// The parameter's name.
    public var name: String
    /// The parameter's value.
    public var value: String

    /// Creates a parameter.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// What goes into the query of the service's address.
  public var parameters: [Parameter]
  /// The page's own address, as a server gave it, instead of the service's: absolute or relative.
  public var link: String?
  /// How many bytes the body of the answer may have.
  public var bodySizeLimit: Int

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - parameters: What goes into the query of the service's address.
  ///   - link: The page's own address instead of the service's.
  ///   - bodySizeLimit: How many bytes the body of the answer may have.
  public init(
    parameters: [Parameter] = [], link: String? = nil,
    bodySizeLimit: Int = PageRequest.defaultBodySizeLimit
  ) {
    self.parameters = parameters
    self.link = link
    self.bodySizeLimit = bodySizeLimit
  }

  /// The limit of a body where nobody asks for another: 16 MiB.
  public static let defaultBodySizeLimit = 16 * 1024 * 1024
}
