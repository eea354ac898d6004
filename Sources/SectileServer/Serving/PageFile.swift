#if Server
  internal import HTTPTypes
  internal import Hummingbird
  internal import Sectile

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  /// A file of the page, from memory.
  struct PageFile: Sendable {
    /// Its name.
    let name: String
    /// Its path.
    let path: String
    /// What browsers take it for.
    let mediaType: String
    let bytes: [UInt8]
    /// What tells its contents from others, quoted.
    let tag: String

    init(_ name: String, _ bytes: [UInt8]) {
      self.name = name
      path = name == "index.html" ? "/" : "/\(name)"
      mediaType = Self.mediaType(of: name)
      self.bytes = bytes
      tag = "\"\(StableHash(of: bytes).text)\""
    }

    private static func mediaType(of name: String) -> String {
      switch name.split(separator: ".").last {
      case "html": "text/html; charset=utf-8"
      case "js": "text/javascript; charset=utf-8"
      case "css": "text/css; charset=utf-8"
      case "svg": "image/svg+xml"
      case "json": "application/json"
      default: "text/plain; charset=utf-8"
      }
    }

    /// Returns the file, or says that what the client has is good.
    func response(to request: Request) -> Response {
      let known = request.headers[.ifNoneMatch] ?? ""
      let isKnown = known.split(separator: ",").contains { $0.drop { $0 == " " }.hasSuffix(tag) }
      if isKnown { return Response(status: .notModified, headers: [.eTag: tag]) }
      return Response(
        status: .ok,
        headers: [.contentType: mediaType, .eTag: tag, .cacheControl: "no-cache"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Returns the file as it is on disk, where somebody works on it: `SECTILE_PAGE_FOLDER` of
    /// debug builds.
    func current() -> PageFile {
      #if DEBUG
        guard let folder = getenv("SECTILE_PAGE_FOLDER"),
          let bytes = Self.contents(of: String(cString: folder) + "/" + name)
        else { return self }
        return PageFile(name, bytes)
      #else
        return self
      #endif
    }

    #if DEBUG
      private static func contents(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var portion = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
          let count = fread(&portion, 1, portion.count, file)
          guard count > 0 else { return bytes }
          bytes += portion[..<count]
        }
      }
    #endif

    /// All that are served: in debug builds those that somebody has added on disk, too.
    static var served: [PageFile] {
      #if DEBUG
        guard let folder = getenv("SECTILE_PAGE_FOLDER"), let listing = opendir(folder) else {
          return all
        }
        defer { closedir(listing) }
        var files = all
        while let entry = readdir(listing) {
          let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
          }
          if !name.hasPrefix("."), !files.contains(where: { $0.name == name }) {
            files.append(PageFile(name, []))
          }
        }
        return files
      #else
        return all
      #endif
    }
  }
#endif
