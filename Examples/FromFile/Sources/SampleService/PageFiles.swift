internal import HTTPTypes
internal import Hummingbird

/// The files of the page, from the program itself.
enum PageFiles {
  static func add(to router: Router<BasicRequestContext>) {
    add("/", "text/html; charset=utf-8", PackageResources.index_html, to: router)
    add("/lists.js", "text/javascript; charset=utf-8", PackageResources.lists_js, to: router)
    add("/sectile.js", "text/javascript; charset=utf-8", PackageResources.sectile_js, to: router)
  }

  private static func add(
    _ path: RouterPath, _ type: String, _ bytes: [UInt8], to router: Router<BasicRequestContext>
  ) {
    router.get(path) { _, _ in
      Response(
        status: .ok,
        headers: [
          .contentType: type, .cacheControl: "no-cache",
          .contentSecurityPolicy: "default-src 'self'; frame-ancestors 'none'",
        ],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
  }
}
