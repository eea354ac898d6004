#if Postgres
  /// Which type of the catalog is had in which form.
  enum TypeSQL {
    /// The type that a domain stands for, or the type itself, with its kind; a subquery.
    ///
    /// Its kind is `e` for an enumeration, `h` for `hstore`, and `n` for what cannot be had: the
    /// text of such a type changes with the name of something else, and no commit tells it.
    static func base(of condition: String) -> String {
      """
      WITH RECURSIVE step AS (
        SELECT t.oid, t.typtype, t.typbasetype, t.typname, t.typnamespace, t.typoutput FROM pg_type t WHERE \(condition)
        UNION ALL
        SELECT t.oid, t.typtype, t.typbasetype, t.typname, t.typnamespace, t.typoutput FROM step s
        JOIN pg_type t ON t.oid = s.typbasetype WHERE s.typtype = 'd')
      SELECT s.oid, CASE
          WHEN s.typnamespace = 'pg_catalog'::regnamespace AND s.typname ~ '^(reg|aclitem$|pg_node_tree$)' THEN 'n'
          WHEN EXISTS (SELECT FROM pg_proc p WHERE p.oid = s.typoutput AND p.proname = 'hstore_out') THEN 'h'
          ELSE s.typtype::text END AS kind
      FROM step s WHERE s.typtype <> 'd'
      """
    }

    /// The form of a type; nil for one that replicas cannot have.
    ///
    /// - Parameters:
    ///   - number: The type's number, which is no domain's.
    ///   - kind: Its kind, as ``base(of:)`` says.
    ///   - element: The form of the elements of an array; nil where it is none.
    /// - Returns: The form.
    static func form(
      of number: UInt32, kind: String?, element: PostgresType?? = .none
    ) -> PostgresType? {
      if case .some(let element) = element {
        // The text of an array is as good as those of its elements.
        guard let element else { return nil }
        return element.element.map { PostgresType.array($0) } ?? PostgresType.other
      }
      switch kind {
      case "n", nil: return nil
      case "e": return .text
      case "h": return .hstore
      default: return PostgresType(number: number) ?? .other
      }
    }
  }
#endif
