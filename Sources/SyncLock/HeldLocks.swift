import SyncSystem

/// The locks that a thread holds, counted in debug builds: nobody is told anything, resumed,
/// started or cancelled by a thread that holds one. In release builds it costs nothing.
///
/// Whoever is told may take a lock of its own, or want the one that is held: `Task.cancel()` holds
/// the task's while it calls what is to be called then. Two who do that the other way round wait
/// for each other for good.
package enum HeldLocks {
  /// Stops the program, in debug builds, if this thread holds a ``Locked`` or a ``Condition``.
  package static func assertNone() {
    #if DEBUG
      precondition(count == 0, "somebody is told something by a thread that holds a lock")
    #endif
  }

  #if DEBUG
    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      pthread_key_create(&key, nil)
      return key
    }()

    /// How many this thread holds.
    package static var count: Int { Int(bitPattern: pthread_getspecific(key)) }

    private static func set(_ count: Int) {
      pthread_setspecific(key, UnsafeRawPointer(bitPattern: count))
    }
  #endif

  /// This thread has taken one.
  static func took() {
    #if DEBUG
      set(count + 1)
    #endif
  }

  /// This thread is about to let go of one.
  static func letsGo() {
    #if DEBUG
      set(count - 1)
    #endif
  }
}

#if DEBUG
  /// For what is inlined into other modules.
  @usableFromInline func tookLock() { HeldLocks.took() }
  @usableFromInline func letsGoOfLock() { HeldLocks.letsGo() }
#endif
