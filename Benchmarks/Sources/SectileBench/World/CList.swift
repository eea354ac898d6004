internal import CBaseline

/// Ids in order and the offsets at which sections begin.
final class CList {
  private var list: baseline_list

  init(_ list: baseline_list) { self.list = list }

  deinit { baseline_free_list(&list) }

  var ids: UnsafeBufferPointer<Int64> {
    UnsafeBufferPointer(start: list.ids, count: Int(list.count))
  }

  var starts: UnsafeBufferPointer<Int32> {
    UnsafeBufferPointer(start: list.starts, count: Int(list.section_count))
  }
}
