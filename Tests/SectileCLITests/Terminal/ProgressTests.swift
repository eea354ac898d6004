import Testing

@testable import SectileCLI

@Suite struct ProgressTests {
  @Test(arguments: [
    (0, 100, "░░░░░░░░░░░░░░░░░░░░ 0 %"),
    (50, 200, "█████░░░░░░░░░░░░░░░ 25 %  5 MiB/s  30 s left"),
    (10, 4000, "░░░░░░░░░░░░░░░░░░░░ 0 %  1 MiB/s  1:06:30 left"),
    (10, 110, "█░░░░░░░░░░░░░░░░░░░ 9 %  1 MiB/s  1:40 left"),
    (10, 0, "10 MiB  1 MiB/s"),
    (3, 2, "████████████████████ 100 %  307 KiB/s  0 s left"),
  ])
  func bytesHaveABarARateAndTheTimeLeft(mebibytes: Int, total: Int, text: String) {
    #expect(Progress.bytes(mebibytes << 20, of: total << 20, after: .seconds(10)) == text)
  }
}
