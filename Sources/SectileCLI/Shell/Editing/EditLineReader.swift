internal import CEditLine
internal import Glibc

/// Reads lines with libedit: keys that edit, a history, completion.
final class EditLineReader: LineReading {
  private let completion: ShellCompletion
  private let history: ShellHistory

  // Confined to the thread that runs the shell; nil only while this object is made.
  private var editor: OpaquePointer?

  /// Creates a reader; nil where the terminal cannot be used.
  ///
  /// - Parameters:
  ///   - completion: What TAB offers.
  ///   - history: What earlier sessions left.
  init?(completion: ShellCompletion, history: ShellHistory) {
    self.completion = completion
    self.history = history
    let context = Unmanaged.passUnretained(self).toOpaque()
    editor = sectile_editor_create(
      { context, text, answer in
        guard let context, let text, let answer else { return }
        let reader = Unmanaged<EditLineReader>.fromOpaque(context).takeUnretainedValue()
        reader.complete(String(cString: text), into: answer)
      }, context)
    guard let editor else { return nil }
    for entry in history.load() { sectile_editor_remember(editor, entry) }
  }

  deinit {
    sectile_editor_destroy(editor)
  }

  func read(prompt: String) throws -> TypedLine {
    var line: UnsafePointer<CChar>?
    switch sectile_editor_read(editor, prompt, &line) {
    case SECTILE_READING_LINE:
      var text = line.map { String(cString: $0) } ?? ""
      while text.last?.isNewline == true { text.removeLast() }
      return .line(text)
    case SECTILE_READING_INTERRUPTED:
      try Output.send(Array("^C\n".utf8), to: STDOUT_FILENO)
      return .interrupted
    default:
      try Output.send([UInt8(ascii: "\n")], to: STDOUT_FILENO)
      return .end
    }
  }

  func remember(_ entry: String) {
    guard let entry = history.append(entry) else { return }
    sectile_editor_remember(editor, entry)
  }

  private func complete(
    _ text: String, into answer: UnsafeMutablePointer<sectile_completion>
  ) {
    let offer = completion.offer(for: text)
    answer.pointee.deleted = Int32(clamping: offer.deleted)
    answer.pointee.inserted = strdup(offer.inserted)
    answer.pointee.listed = strdup(offer.listing(width: Pager.screenWidth ?? 80))
  }
}
