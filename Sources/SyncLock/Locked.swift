import Foundation

/// A value behind a lock: the one lock type of this package.
///
/// The critical section is the closure given to ``withLock(_:)``. Keep it short, never suspend in
/// it, and never call user code from it. Not recursive.
///
/// It stands over `NSLock` since the standard library's `Mutex` gives false reports under
/// ThreadSanitizer with Swift 6.3 (the same code over `NSLock` is clean).
package final class Locked<Value>: @unchecked Sendable {  // every access to `value` holds `lock`
  private let lock = NSLock()
  private var value: Value

  /// Makes a lock around a first value.
  package init(_ value: sending Value) {
    self.value = value
  }

  /// Runs `body` with exclusive access to the value and returns what it returns.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
