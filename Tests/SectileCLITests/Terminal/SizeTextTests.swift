import Testing

@testable import SectileCLI

@Suite struct SizeTextTests {
  @Test(
    arguments: [
      (nil, "-"), (0, "0 KiB"), (687, "687 KiB"), (1023, "1023 KiB"), (1024, "1 MiB"),
      (7164, "7 MiB"), (1700, "1.7 MiB"), (3 << 20, "3 GiB"), (-5, "-5 KiB"),
    ] as [(Int64?, String)])
  func sizesAreRounded(kibibytes: Int64?, expected: String) {
    #expect(SizeText.text(kibibytes: kibibytes) == expected)
  }
}
