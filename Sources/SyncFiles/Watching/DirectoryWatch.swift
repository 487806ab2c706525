#if os(Linux)
  import CSyncSystem
  import SyncSystem

  /// Tells when something changes in open directories: inotify(7).
  ///
  /// What is below a directory is watched only by a watch of its own. Changes that come from
  /// elsewhere, to a file system that is mounted over a network, are told to nobody. One thread
  /// waits; any may wake it.
  package final class DirectoryWatch: Sendable {
    private let events: Int32
    private let bell: Int32

    package init() throws(Errno) {
      events = try retrying { csync_watch_make() }
      do throws(Errno) {
        bell = try retrying { csync_wake_make() }
      } catch {
        _ = close(events)
        throw error
      }
    }

    deinit {
      _ = close(events)
      _ = close(bell)
    }

    /// Watches an open directory, and gives its number: the same one for the same directory.
    package func add(_ directory: Descriptor) throws(Errno) -> Int32 {
      try retrying { csync_watch_add(events, directory.raw) }
    }

    /// Watches a directory no longer. One that is gone isn't watched anyway.
    package func remove(_ number: Int32) {
      _ = csync_watch_remove(events, number)
    }

    /// Waits until something changes, the thread is woken, or the time is over; `nil` waits as long
    /// as it takes.
    package func wait(for milliseconds: Int32?) throws(Errno) -> WatchEvents {
      var sources = [events, bell].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      do throws(Errno) {
        _ = try retryingNever { poll(&sources, nfds_t(sources.count), milliseconds ?? -1) }
      } catch .interrupted {
        return WatchEvents()
      }
      guard sources[0].revents != 0 else { return WatchEvents() }
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      let count = buffer.withUnsafeMutableBytes { read(events, $0.baseAddress, $0.count) }
      guard count > 0 else {
        let failure = Errno.current
        guard count == 0 || failure == .again || failure == .interrupted else { throw failure }
        return WatchEvents()
      }
      return buffer.withUnsafeBytes { WatchEvents(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    /// Wakes the thread that waits, now and whenever it waits again before ``takeWakes()``.
    package func wake() { csync_wake(bell) }

    /// What it was woken for until now is about to be looked at.
    package func takeWakes() {
      var count: UInt64 = 0
      _ = read(bell, &count, MemoryLayout<UInt64>.size)
    }

    private func retryingNever(_ call: () -> Int32) throws(Errno) -> Int32 {
      let result = call()
      guard result != -1 else { throw .current }
      return result
    }
  }
#else
  /// Tells when something changes in open directories. This system has no way for it that is known
  /// here.
  package final class DirectoryWatch: Sendable {
    package init() throws(Errno) { throw .noSuchCall }

    package func add(_ directory: Descriptor) throws(Errno) -> Int32 { throw .noSuchCall }

    package func remove(_ number: Int32) {}

    package func wait(for milliseconds: Int32?) throws(Errno) -> WatchEvents { throw .noSuchCall }

    package func wake() {}

    package func takeWakes() {}
  }
#endif
