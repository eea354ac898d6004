internal import CEditLine
internal import Glibc

/// Reads with libedit: keys that edit, a history, completion.
///
/// What is shown is drawn by a canvas.
final class EditLineReader: StatementReading {
  private let completion: ShellCompletion
  private let history: ShellHistory
  private let canvas: PromptCanvas

  // Confined to the thread that runs the shell.
  // - `editor`: nil only while this object is made.
  // - `entries`, `position`, `draft`: what the arrow keys go through, and what was typed before.
  private var editor: OpaquePointer?
  private var entries: [String]
  private var position = 0
  private var draft = ""

  /// Creates a reader; nil where the terminal cannot be used.
  ///
  /// - Parameters:
  ///   - completion: What TAB offers.
  ///   - history: What earlier sessions left.
  init?(completion: ShellCompletion, history: ShellHistory) {
    self.completion = completion
    self.history = history
    canvas = PromptCanvas(
      isStyled: TextStyle.isShown,
      size: { (Pager.screenWidth ?? 80, Pager.screenHeight ?? 24) },
      // A terminal that is gone is noticed when it is read.
      send: { try? Output.send(Array($0.utf8), to: STDOUT_FILENO) })
    entries = history.load()
    var owner = Self.owner
    owner.context = Unmanaged.passUnretained(self).toOpaque()
    editor = sectile_editor_create(&owner)
    guard let editor else { return nil }
    for entry in entries { sectile_editor_remember(editor, entry) }
  }

  deinit {
    sectile_editor_destroy(editor)
  }

  func read(start: String?) throws -> TypedText {
    position = entries.count
    draft = ""
    var text: UnsafePointer<CChar>?
    let reading =
      start.map { $0.withCString { sectile_editor_read(editor, $0, &text) } }
      ?? sectile_editor_read(editor, nil, &text)
    switch reading {
    case SECTILE_READING_TEXT:
      var text = text.map { String(cString: $0) } ?? ""
      if text.utf8.last == UInt8(ascii: "\n") { text.unicodeScalars.removeLast() }
      canvas.finish(text)
      try Output.send(Array("\n".utf8), to: STDOUT_FILENO)
      return .text(text)
    case SECTILE_READING_INTERRUPTED:
      canvas.finish()
      try Output.send(Array("^C\n".utf8), to: STDOUT_FILENO)
      return .interrupted
    default:
      try Output.send([UInt8(ascii: "\n")], to: STDOUT_FILENO)
      return .end
    }
  }

  func remember(_ entry: String) {
    guard let entry = history.append(entry) else { return }
    entries.append(entry)
    sectile_editor_remember(editor, entry)
  }

  func useVi(_ isVi: Bool) {
    sectile_editor_use_vi(editor, isVi ? 1 : 0)
  }

  // MARK: - What the editor asks

  private static var owner: sectile_editor_owner {
    func reader(_ context: UnsafeMutableRawPointer) -> EditLineReader {
      Unmanaged<EditLineReader>.fromOpaque(context).takeUnretainedValue()
    }
    return sectile_editor_owner(
      context: nil,
      complete: { context, text, answer in
        guard let context, let text, let answer else { return }
        reader(context).complete(String(cString: text), into: answer)
      },
      isWhole: { _, text in
        text.map { StatementBuffer.isWhole(String(cString: $0)) } == false ? 0 : 1
      },
      recall: { context, direction, text in
        guard let context, let text else { return nil }
        return reader(context).recall(Int(direction), from: String(cString: text))
          .flatMap { strdup($0) }
      },
      draw: { context, what, text, cursor in
        guard let context, let text else { return }
        reader(context).draw(what, String(cString: text), cursor: cursor)
      })
  }

  private func complete(
    _ text: String, into answer: UnsafeMutablePointer<sectile_completion>
  ) {
    let offer = completion.offer(for: text)
    answer.pointee.deleted = Int32(clamping: offer.deleted)
    answer.pointee.inserted = strdup(offer.inserted)
    answer.pointee.listed = strdup(offer.listing(width: Pager.screenWidth ?? 80))
  }

  private func recall(_ direction: Int, from text: String) -> String? {
    let target = position + direction
    guard (0...entries.count).contains(target) else { return nil }
    if position == entries.count { draft = text }
    position = target
    return target == entries.count ? draft : entries[target]
  }

  private func draw(_ what: sectile_drawing, _ text: String, cursor: Int) {
    switch what {
    case SECTILE_DRAWING_LISTING: canvas.show(listing: text)
    case SECTILE_DRAWING_RESIZED: canvas.resize()
    case SECTILE_DRAWING_CLEARED: canvas.clear(text, cursor: cursor)
    case SECTILE_DRAWING_RETURNED: canvas.begin(text, cursor: cursor)
    default: canvas.show(text, cursor: cursor)
    }
  }
}
