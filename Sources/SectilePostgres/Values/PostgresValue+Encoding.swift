#if Postgres
  internal import SectileCore
  internal import SectileHub

  extension PostgresValue {
    /// Why a value cannot go into a column.
    struct Misfit: Error {
      let reason: String
    }

    /// Returns a value's text for the server; nil for NULL.
    ///
    /// What the text says is for the server to judge; that it is a value of the kind that the
    /// column has in a replica is judged here.
    static func encode(_ value: StoredValue, as type: PostgresType) throws(Misfit) -> String? {
      switch (type, value) {
      case (_, .null): return nil
      case (.bool, .integer(0)): return "f"
      case (.bool, .integer(1)): return "t"
      case (.int2, .integer(let number)), (.int4, .integer(let number)),
        (.int8, .integer(let number)), (.numeric, .integer(let number)),
        (.oid, .integer(let number)):
        return String(number)
      case (.money, .integer(let units)): return DecimalUnits.text(units, scale: 2)
      case (.float4, .integer(let number)), (.float8, .integer(let number)): return String(number)
      case (.float4, .real(let number)), (.float8, .real(let number)),
        (.numeric, .real(let number)):
        return number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : String(number)
      case (.bytea, .blob(let bytes)):
        return "\\x" + String(decoding: hexadecimal(bytes), as: UTF8.self)
      case (.text, .text(let text)), (.varchar, .text(let text)), (.bpchar, .text(let text)),
        (.uuid, .text(let text)), (.json, .text(let text)), (.jsonb, .text(let text)),
        (.numeric, .text(let text)), (.date, .text(let text)), (.timestamptz, .text(let text)),
        (.timestamp, .text(let text)), (.time, .text(let text)), (.array, .text(let text)),
        (.other, .text(let text)):
        return try withoutZeros(text)
      case (.hstore, .text(let json)):
        guard let text = PostgresArray.hstore(json: json) else {
          throw Misfit(reason: "hstore is a JSON object of texts and nulls")
        }
        return try withoutZeros(text)
      default:
        throw Misfit(reason: "a \(value.kind) does not fit a column of the type \(type.name)")
      }
    }

    private static func withoutZeros(_ text: String) throws(Misfit) -> String {
      guard !text.utf8.contains(0) else {
        throw Misfit(reason: "PostgreSQL does not store texts with a zero byte")
      }
      return text
    }
  }

  extension StoredValue {
    fileprivate var kind: String {
      switch self {
      case .null: "NULL"
      case .integer: "whole number"
      case .real: "real number"
      case .text: "text"
      case .blob: "blob"
      }
    }
  }
#endif
