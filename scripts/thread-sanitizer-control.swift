// Two counters that eight threads count up: one in a mutex, and, where an argument asks for it, one
// that nothing guards. ThreadSanitizer must be silent about the first, and see the second.

import Dispatch
import Synchronization

let guarded = Mutex([0])
nonisolated(unsafe) var unguarded = 0
let isRacing = CommandLine.arguments.count > 1

DispatchQueue.concurrentPerform(iterations: 8) { _ in
  for _ in 0..<20_000 {
    guarded.withLock { $0 = [$0[0] + 1] }
    if isRacing { unguarded += 1 }
  }
}
print(guarded.withLock { $0[0] })
