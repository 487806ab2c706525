package import SyncSystem

/// A value behind a lock: the one lock type of this package.
///
/// The critical section is the closure given to ``withLock(_:)``. Keep it short, never suspend in
/// it, and never call user code from it. Not recursive.
///
/// It stands over the system's mutex since the standard library's `Mutex` gives false reports under
/// ThreadSanitizer with Swift 6.3 (the same code over this one is clean). Its methods can be
/// inlined into other modules: a look behind the lock costs less than the call of a generic
/// function.
package final class Locked<Value>: @unchecked Sendable {  // every access to `value` holds `mutex`
  @usableFromInline package let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline package var value: Value

  /// Makes a lock around a first value.
  package init(_ value: sending Value) {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    self.value = value
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with exclusive access to the value and returns what it returns.
  @inlinable
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
