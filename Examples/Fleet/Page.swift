#if Postgres && Server
  import Hummingbird

  /// The page's files, from the program itself: the page of this example, and the client of live
  /// lists.
  ///
  /// In a package of your own `sectile.js` is a file beside the others, copied from
  /// `Sources/SectileServer/Page`.
  enum Page {
    static func add(to router: Router<BasicRequestContext>) {
      add("/", "text/html; charset=utf-8", PackageResources.fleet_html, to: router)
      add("/fleet.js", "text/javascript; charset=utf-8", PackageResources.fleet_js, to: router)
      add("/sectile.js", "text/javascript; charset=utf-8", PackageResources.sectile_js, to: router)
    }

    private static func add(
      _ path: RouterPath, _ type: String, _ bytes: [UInt8],
      to router: Router<BasicRequestContext>
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
#endif
