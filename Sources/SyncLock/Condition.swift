import SyncSystem

/// A lock between ``lock()`` and ``unlock()``, and a way for threads that hold it to wait for what
/// another one brings about. For threads of one's own alone: a task waits otherwise.
package final class Condition: @unchecked Sendable {  // both pointers are only read
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let change: UnsafeMutablePointer<pthread_cond_t>

  /// Makes a condition whose lock nobody holds.
  package init() {
    (mutex, change) = (.allocate(capacity: 1), .allocate(capacity: 1))
    mutex.initialize(to: pthread_mutex_t())
    change.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(change, nil)
  }

  deinit {
    pthread_cond_destroy(change)
    pthread_mutex_destroy(mutex)
    change.deallocate()
    mutex.deallocate()
  }

  package func lock() {
    pthread_mutex_lock(mutex)
    HeldLocks.took()
  }

  /// Lets go of the lock.
  package func unlock() {
    HeldLocks.letsGo()
    pthread_mutex_unlock(mutex)
  }

  /// Lets go of the lock until somebody calls ``broadcast()``, then takes it again. It may return
  /// for no reason: look again at what is waited for.
  package func wait() { pthread_cond_wait(change, mutex) }

  /// Wakes all that wait.
  package func broadcast() { pthread_cond_broadcast(change) }
}
