public import SyncSystem

/// A value behind a lock: the one lock type of this package.
///
/// The critical section is the closure given to ``withLock(_:)``. Keep it short, never suspend in
/// it, never call user code from it, and tell nobody anything in it: ``HeldLocks``. Not recursive.
///
/// It stands over the system's mutex since the standard library's `Mutex` gives false reports under
/// ThreadSanitizer with Swift 6.3 (the same code over this one is clean).
///
/// It is public, in a module that no product offers, since Swift 6.3 inlines and specialises
/// nothing of `package` across modules, whatever it is marked with: a look behind the lock would be
/// the call of a generic function, at several times the cost.
public final class Locked<Value>: @unchecked Sendable {  // every access to `value` holds `mutex`
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  // Whoever holds the lock is alone with it; to have that checked would cost as much as the lock.
  @exclusivity(unchecked) @usableFromInline var value: Value

  /// Makes a lock around a first value.
  public init(_ value: sending Value) {
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
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    #if DEBUG
      tookLock()
    #endif
    defer {
      #if DEBUG
        letsGoOfLock()
      #endif
      pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }
}
