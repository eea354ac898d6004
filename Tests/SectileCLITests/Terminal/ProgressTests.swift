import Testing

@testable import SectileCLI

@Suite struct ProgressTests {
  @Test(arguments: [
    (0, 100, "░░░░░░░░░░░░░░░░░░░░ 0 %"),
    (50 << 20, 200 << 20, "█████░░░░░░░░░░░░░░░ 25 %  5 MiB/s  30 s left"),
    (10 << 20, 4000 << 20, "░░░░░░░░░░░░░░░░░░░░ 0 %  1 MiB/s  1:06:30 left"),
    (10 << 20, 110 << 20, "█░░░░░░░░░░░░░░░░░░░ 9 %  1 MiB/s  1:40 left"),
    (10 << 20, 0, "10 MiB  1 MiB/s"),
    (3 << 20, 2 << 20, "████████████████████ 100 %  307 KiB/s  0 s left"),
  ])
  func bytesHaveABarARateAndTheTimeLeft(count: Int, total: Int, text: String) {
    #expect(Progress.bytes(count, of: total, after: .seconds(10)) == text)
  }
}
