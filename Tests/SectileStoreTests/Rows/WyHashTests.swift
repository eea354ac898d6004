import Testing

@testable import SectileStore

/// The hash function against what its author published.
@Suite(.timeLimit(.minutes(60))) struct WyHashTests {
  /// The output of `test_vector.cpp` beside `wyhash.h`: the seed is the number of the message.
  private static let published: [(message: String, seed: UInt64, hash: UInt64)] = [
    ("", 0, 0x0409_638e_e2bd_e459),
    ("a", 1, 0xa841_2d09_1b5f_e0a9),
    ("abc", 2, 0x32dd_92e4_b291_5153),
    ("message digest", 3, 0x8619_1240_89a3_a16b),
    ("abcdefghijklmnopqrstuvwxyz", 4, 0x7a43_afb6_1d7f_5f40),
    (
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", 5,
      0xff42_329b_90e5_0d58
    ),
    (String(repeating: "1234567890", count: 8), 6, 0xc39c_ab13_b115_aad3),
  ]

  @Test(arguments: published)
  func bytesHaveThePublishedHash(message: String, seed: UInt64, hash: UInt64) {
    #expect(Array(message.utf8).withUnsafeBytes { WyHash.hash($0, seed: seed) } == hash)
  }

  @Test(arguments: [
    (UInt64(0), UInt64(0), UInt64(0x60c0_6e5a_a671_6029)),
    (1, 0, 0x9f7a_814c_50e0_9de8),
    (0, 1, 0xc259_9afc_0f1d_d055),
    (.max, 0, 0x09bc_a9ac_aee9_fe85),
    (.max, .max, 0x8de3_8748_e71c_42a8),
    (42, 0x0123_4567_89ab_cdef, 0x6725_2a9e_ddf4_63fb),
  ])
  func wordsHaveTheHashOfThePublishedProgram(left: UInt64, right: UInt64, hash: UInt64) {
    #expect(WyHash.hash(left, right) == hash)
  }
}
