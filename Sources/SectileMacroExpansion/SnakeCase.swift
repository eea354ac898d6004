#if Macros
  extension String {
    /// The name in snake case: `installedSize` is `installed_size`, `artistID` is `artist_id`, and
    /// `HTTPServer` is `http_server`.
    var snakeCased: String {
      let letters = Array(self)
      var result = ""
      for (offset, letter) in letters.enumerated() {
        if letter.isUppercase, offset > 0, letters[offset - 1] != "_" {
          let followsWord = !letters[offset - 1].isUppercase
          let startsWord = offset + 1 < letters.count && letters[offset + 1].isLowercase
          if followsWord || startsWord { result.append("_") }
        }
        result += letter.lowercased()
      }
      return result
    }
  }
#endif
