/// All cases, in the order in which they run.
enum Cases {
  static let all = all(isWhole: false)

  /// - Parameter isWhole: Whether cases that take a time of their own take all of it.
  /// - Returns: The cases.
  static func all(isWhole: Bool) -> [any ReliabilityCase] {
    [
      PowerCutCase(variant: .full), PowerCutCase(variant: .normal), PowerCutCase(variant: .lie),
      ForgetfulModelCase(), FaultCase(), KillCase(), KillPagesCase(), ShortReadCase(),
      ProcessesCase(), StormCase(), ReloadCase(reloadCount: isWhole ? 1_000 : 60), MixedReadCase(),
      RandomCase(), HostileFileCase(), HostileValueCase(), SteppingCase(), WritersCase(),
      ResetCase(), LostLogCase(isControl: false), LostLogCase(isControl: true),
      JoiningCase(isControl: false), JoiningCase(isControl: true), LogKillsCase(),
      ForgetfulLogCase(), LogFollowersCase(seconds: isWhole ? 60 : 3),
      ReorderCase(seconds: isWhole ? 60 : 3), LogIdleCase(seconds: isWhole ? 600 : 8),
      ManyStoresCase(count: isWhole ? 1_000 : 100, seconds: isWhole ? 60 : 5), SoakCase(),
    ]
  }

  /// The table of `--list`.
  static var list: String {
    all.map {
      "  \($0.name.padded(to: 18))\($0.summary)\($0.isControl ? " (control: must find)" : "")"
    }
    .joined(separator: "\n")
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
