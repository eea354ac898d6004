internal import SectileCore

/// What the inputs of a composition told, until the composition comes to it: in batches, each of
/// all that one commit changed in any of them.
///
/// ```text
/// wave 5   input 0 changed, input 1 changed           followed together, told as one changeset
/// wave 6   input 1 changed
/// ```
///
/// Batches stand in the order in which they were begun, and what one input tells stays in order.
/// Where several threads deliver to inputs that have two sources in common, one input may tell of a
/// commit before another that comes after it elsewhere. Then neither can be followed without half
/// of the other, so that both become one batch.
struct InputBatches<News: Sendable>: Sendable {
  private struct Batch: Sendable {
    var news: [News]
    let share: WaveShare?
    var waves: [ObjectIdentifier]
  }

  /// The batches by number; those that were taken, or became a part of another, are not there.
  private var batches: [Int: Batch] = [:]
  private var nextNumber = 0
  private var numberOfWave: [ObjectIdentifier: Int] = [:]
  /// The last batch with news of an input; it may be gone.
  private var lastOfInput: [Int: Int] = [:]

  var isEmpty: Bool { batches.isEmpty }

  /// Adds what an input told.
  ///
  /// - Parameters:
  ///   - news: What it told.
  ///   - input: The number of the input.
  ///   - waves: The waves of the callback in which it told that.
  ///   - join: Joins the waves, for the cycle of a new batch.
  /// - Returns: The number of the batch, and its share, if it is a new one: its cycle is to be
  ///   submitted.
  /// - Complexity: O(1), over all that is added.
  mutating func add(
    _ news: News, ofInput input: Int, in waves: [Wave], join: () -> WaveShare?
  ) -> (number: Int, share: WaveShare?)? {
    let found = waves.compactMap { numberOfWave[ObjectIdentifier($0)] }
    guard let first = found.min(), let last = found.max() else {
      let number = nextNumber
      nextNumber += 1
      let share = join()
      batches[number] = Batch(news: [news], share: share, waves: [])
      enter(waves, number)
      lastOfInput[input] = number
      return (number, share)
    }
    merge(first, through: max(last, lastOfInput[input] ?? first))
    for wave in waves where numberOfWave[ObjectIdentifier(wave)] == nil {
      batches[first]?.share?.join(wave)
    }
    enter(waves, first)
    batches[first]?.news.append(news)
    lastOfInput[input] = first
    return nil
  }

  /// Takes a batch; it is empty where it became a part of another.
  mutating func take(_ number: Int) -> [News] {
    guard let batch = batches.removeValue(forKey: number) else { return [] }
    for wave in batch.waves { numberOfWave[wave] = nil }
    return batch.news
  }

  /// Forgets an input that tells nothing any more.
  mutating func forget(_ input: Int) { lastOfInput[input] = nil }

  private mutating func enter(_ waves: [Wave], _ number: Int) {
    for wave in waves.map({ ObjectIdentifier($0) }) where numberOfWave[wave] == nil {
      numberOfWave[wave] = number
      batches[number]?.waves.append(wave)
    }
  }

  /// Makes batches that stand behind one another one.
  private mutating func merge(_ first: Int, through last: Int) {
    guard last > first, var whole = batches[first] else { return }
    for number in first + 1...last {
      guard let batch = batches.removeValue(forKey: number) else { continue }
      whole.news += batch.news
      whole.waves += batch.waves
      if let share = batch.share { whole.share?.absorb(share) }
      for wave in batch.waves { numberOfWave[wave] = first }
      for (input, latest) in lastOfInput where latest == number { lastOfInput[input] = first }
    }
    batches[first] = whole
  }
}
