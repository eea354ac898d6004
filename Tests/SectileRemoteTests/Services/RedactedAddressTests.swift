import Testing

@testable import SectileRemote

@Suite struct RedactedAddressTests {
  @Test(arguments: [
    ("https://host/a/b?key=1", "https://host/a/b"), ("https://host?key=1", "https://host"),
    ("https://me:w@rd@host:8080/a#top", "https://host:8080/a"), ("//me@host/a", "//host/a"),
    ("me:word@host/a@b", "host/a@b"), ("/a?next=//me@host/", "/a"), ("", ""), ("?key=1", ""),
    ("https://me:word@host", "https://host"), ("https://host/a?\u{301}key=1", "https://host/a"),
  ])
  func whatMayBeSecretIsLeftOut(_ address: String, _ shown: String) {
    #expect(RedactedAddress(address).description == shown)
  }
}
