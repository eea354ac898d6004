#if Postgres
  internal import SectileHub

  /// Numbers of any length, as a copy has them: digits to the base of 10,000.
  enum PostgresNumeric {
    /// Returns the text that the server itself writes for a number; nil for bytes that are none.
    static func text(binary bytes: ArraySlice<UInt8>) -> String? {
      guard bytes.count >= 8, bytes.count.isMultiple(of: 2) else { return nil }
      let words = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      let (count, weight) = (Int(words[0]), Int(Int16(bitPattern: words[1])))
      let (sign, scale) = (words[2], Int(words[3]))
      let digits = words[4...]
      guard digits.count == count, digits.allSatisfy({ $0 < 10_000 }), scale <= 0x3FFF else {
        return nil
      }
      switch sign {
      case 0xC000: return "NaN"
      case 0xD000: return "Infinity"
      case 0xF000: return "-Infinity"
      case 0, 0x4000: break
      default: return nil
      }
      // The digit for 10,000 to the power of `weight - place`; what is not sent is zero.
      func group(_ place: Int) -> [UInt8] {
        let value = digits.indices.contains(4 + place) && place >= 0 ? digits[4 + place] : 0
        return [1000, 100, 10, 1].map { UInt8(value / $0 % 10) + 0x30 }
      }
      var whole: [UInt8] = weight < 0 ? [] : (0...weight).flatMap(group)
      whole.removeSubrange(..<(whole.firstIndex { $0 != 0x30 } ?? whole.endIndex))
      if whole.isEmpty { whole = [0x30] }
      var text: [UInt8] = (sign == 0x4000 ? [0x2D] : []) + whole
      if scale > 0 {
        text.append(0x2E)
        let fraction = (0...(scale / 4)).flatMap { group(weight + 1 + $0) }
        text.append(contentsOf: fraction.prefix(scale))
      }
      return String(decoding: text, as: UTF8.self)
    }

    /// The number of units of the server's text for `money`, in a session in the locale C.
    static func units(money text: String) -> Int64? {
      let digits = text.utf8.filter { $0 != 0x24 && $0 != 0x2C }
      guard text.contains("$") else { return nil }
      return DecimalUnits.units(String(decoding: digits, as: UTF8.self), scale: 2)
    }
  }
#endif
