internal import Sectile

/// What a new migration is called: words as the rule of names spells them.
struct MigrationName {
  private let words: [String]

  /// Reads a name in any spelling: `Add size`, `add-size`, `addSize`.
  ///
  /// - Throws: ``CommandFailure`` for one that cannot be spelled by the rule.
  init(_ name: String) throws {
    guard !name.lowercased().hasSuffix(".sql"), Migrations.File.version(of: "\(name).sql") == nil
    else {
      throw CommandFailure(
        .usage, "'\(name)' has a version or an ending already",
        hint: "Give what comes between: a verb and a noun, as in add_size.")
    }
    var words: [String] = []
    var isInside = false
    var wasLowercase = false
    for scalar in name.unicodeScalars {
      let isLetter = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
      guard scalar.isASCII else {
        throw CommandFailure(
          .usage, "'\(name)' has letters that names of migrations cannot have",
          hint: "Use the letters a to z, and digits.")
      }
      guard isLetter || ("0"..."9").contains(scalar) else {
        isInside = false
        continue
      }
      let isUppercase = ("A"..."Z").contains(scalar)
      if !isInside || (isUppercase && wasLowercase) { words.append("") }
      words[words.count - 1] += String(scalar).lowercased()
      isInside = true
      wasLowercase = !isUppercase
    }
    guard words.count >= 2 else {
      throw CommandFailure(
        .usage, "'\(name)' is not two words",
        hint: "A name has a verb and a noun, as in add_size or create_package.")
    }
    self.words = words
  }

  /// Returns the file's name with the version after those that are there.
  func next(after existing: [String]) throws -> String {
    let versions = existing.compactMap(Migrations.File.version)
    let (version, overflows) = (versions.max() ?? 0).addingReportingOverflow(1)
    if overflows {
      throw CommandFailure(.data, "no version comes after that of the newest migration")
    }
    let digits = String(version)
    let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
    return "V\(zeros)\(digits)_\(words.joined(separator: "_")).sql"
  }

  /// What the file holds at first: comments, which alone are refused as a migration.
  var text: String {
    """
    -- \(words.joined(separator: " ").capitalizedFirst).
    -- Runs once, in a transaction of its own. Do not edit it after it was applied.


    """
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
