import Testing

@testable import SectileCLI

@Suite struct DpkgStatusParserTests {
  private func packages(_ text: String) -> (packages: [InstalledPackage], skipped: Int) {
    var parser = DpkgStatusParser()
    var packages: [InstalledPackage] = []
    // Bytes: for Swift, CR LF is one character.
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if let package = parser.consume(line) { packages.append(package) }
    }
    if let package = parser.finish() { packages.append(package) }
    return (packages, parser.skippedCount)
  }

  @Test func aParagraphIsOnePackage() throws {
    let (packages, _) = packages(
      """
      Package: bash
      Status: install ok installed
      Priority: required
      Section: shells
      Installed-Size: 7164
      Maintainer: Matthias <doko@example.org>
      Architecture: amd64
      Version: 5.2.15-2+b7

      Package: dash
      """)
    #expect(packages.map(\.id) == ["bash:amd64", "dash"])
    let bash = try #require(packages.first)
    #expect(bash.version == "5.2.15-2+b7")
    #expect(bash.section == "shells")
    #expect(bash.installedSize == 7164)
    #expect(bash.maintainer == "Matthias <doko@example.org>")
    #expect(packages[1].section == nil)
    #expect(packages[1].installedSize == nil)
  }

  @Test func continuationLinesBelongToTheFieldBeforeThem() {
    let (packages, _) = packages(
      """
      Package: a
      Description: text
       Package: not a name
      \tVersion: not a version
       .
      Version: 1
      """)
    #expect(packages.map(\.name) == ["a"])
    #expect(packages.map(\.version) == ["1"])
  }

  @Test func carriageReturnsAndBlanksAroundValuesAreNoPartOfThem() {
    let (packages, _) = packages("Package:  a \t\r\nVERSION:1\r\n\r\nPackage: b\r\n")
    #expect(packages.map(\.name) == ["a", "b"])
    #expect(packages.map(\.version) == ["1", ""])
  }

  @Test func severalEmptyLinesSeparateLikeOne() {
    #expect(packages("\n\nPackage: a\n\n\n\nPackage: b\n\n").packages.map(\.name) == ["a", "b"])
  }

  @Test func packagesThatLeftOnlyConfigurationAreNotInstalled() {
    let (packages, skipped) = packages(
      """
      Package: a
      Status: deinstall ok config-files

      Package: b
      Status: purge ok not-installed

      Package: c
      Status: install ok half-configured
      """)
    #expect(packages.map(\.name) == ["c"])
    #expect(skipped == 0)
  }

  @Test func paragraphsWithoutANameAreCounted() {
    let (packages, skipped) = packages("Version: 1\n\nPackage:\n\nno field\n\nPackage: a\n")
    #expect(packages.map(\.name) == ["a"])
    #expect(skipped == 3)
  }

  @Test func bytesThatAreNotTextAreReplaced() {
    var parser = DpkgStatusParser()
    #expect(parser.consume(Array("Package: a".utf8)) == nil)
    #expect(parser.consume(Array("Maintainer: Andr".utf8) + [0xE9]) == nil)
    #expect(parser.finish()?.maintainer == "Andr\u{FFFD}")
  }

  @Test func aSizeThatIsNoNumberIsNone() {
    #expect(packages("Package: a\nInstalled-Size: big\n").packages[0].installedSize == nil)
  }
}
