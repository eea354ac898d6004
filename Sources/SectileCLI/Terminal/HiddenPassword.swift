/// Passwords in texts that repeat what somebody typed.
enum HiddenPassword {
  /// Returns a text without the passwords of PostgreSQL's connections in it: `password=…` and
  /// `//user:…@`.
  static func hiding(in text: String) -> String {
    text
      .replacing(/(?i)(password\s*=\s*)('[^']*'|[^\s'&]+)/) { "\($0.1)…" }
      .replacing(/(\/\/[^\/\s:@']*:)[^\s']*@/) { "\($0.1)…@" }
  }
}
