#if Macros
  internal import SwiftDiagnostics

  /// What `@Entity` has to say about a declaration it cannot expand.
  enum EntityDiagnostic: DiagnosticMessage, FixItMessage {
    case notAStruct, makeStruct
    case noPrimaryKey, addID
    case computedKey
    case columnTwice(String, column: String, first: String)
    case noType(String)
    case addType(String)
    case constantWithValue(String)
    case makeVariable
    case transientWithoutValue(String)
    case severalNames
    case optionalKey(String)
    case notALiteral
    case attributeTwice(String)
    case lazyProperty(String)
    case severalForms(String)
    case wrongForm(String, form: String, type: String)
    case wrongScale(String)
    case notStorable(String, type: String)

    var message: String {
      switch self {
      case .notAStruct: "@Entity applies to a struct: an entity is a value"
      case .makeStruct: "make it a struct"
      case .noPrimaryKey:
        "an entity needs a primary key: a property 'id', or properties marked "
          + "@Attribute(.primaryKey)"
      case .addID: "add 'var id: Int64'"
      case .computedKey:
        "'id' is computed, and no column holds it; mark the stored property that is the key with "
          + "@Attribute(.primaryKey)"
      case .columnTwice(let name, let column, let first):
        "'\(name)' has the column '\(column)', which '\(first)' has already; a column has one property"
      case .noType(let name): "the attribute '\(name)' needs a type annotation"
      case .addType(let type): "add ': \(type)'"
      case .constantWithValue(let name):
        "the constant '\(name)' has a value and cannot be read from a row; make it 'var', "
          + "or mark it @Transient"
      case .makeVariable: "make it 'var'"
      case .transientWithoutValue(let name):
        "the transient property '\(name)' needs a default value, because no column gives it one"
      case .severalNames: "declare one attribute in each line, by its name"
      case .optionalKey(let name):
        "'\(name)' is part of a composite primary key and cannot be optional"
      case .attributeTwice(let name):
        "'\(name)' has more than one @Attribute; write its name and its options into one"
      case .lazyProperty(let name):
        "'\(name)' is lazy, and reading and writing a row needs its value at once; remove 'lazy', "
          + "or mark it @Transient"
      case .severalForms(let name):
        "the column of '\(name)' has one form; choose one of its options"
      case .wrongForm(let name, let form, let type):
        "'\(name)' is \(type), and .\(form) is a form of \(ColumnEncodings.type(of: form)) only"
      case .wrongScale(let name):
        "the column of '\(name)' has 0 to 18 digits behind the point"
      case .notStorable(let name, let type):
        "'\(name)' is \(type), which no column holds as it is; mark it @Attribute(.json) if it is "
          + "Codable, or @Transient"
      case .notALiteral: "@Entity reads names while compiling, so write a plain string literal"
      }
    }

    var diagnosticID: MessageID { MessageID(domain: "Sectile.Entity", id: identifier) }
    var fixItID: MessageID { diagnosticID }
    var severity: DiagnosticSeverity { .error }

    /// The case's name without its values.
    private var identifier: String {
      String("\(self)".prefix { $0 != "(" })
    }
  }
#endif
