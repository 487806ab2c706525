package import Dispatch
import SyncLock
package import SyncFiles

/// The real disk, but that it counts its flushes, does none of them, and fails or waits when told
/// to.
package final class ScriptedDisk: ForwardingFileSystem {
  package let base: any FileSystem = SystemFileSystem()
  private let state = Locked(State())

  package init() {}

  /// Where a call says that it has begun, and waits.
  package struct Pause: Sendable {
    package let begun = DispatchSemaphore(value: 0)
    package let goOn = DispatchSemaphore(value: 0)

    package init() {}
  }

  private struct State {
    var files = 0
    var fileSystems = 0
    var failFile = false
    var failFileSystem = false
    /// How many writes go well before the others fail.
    var writesLeft = Int.max
    var pause: Pause?
    var renamePause: Pause?
  }

  package var files: Int { state.withLock { $0.files } }
  package var fileSystems: Int { state.withLock { $0.fileSystems } }

  package func failNextFile() { state.withLock { $0.failFile = true } }
  package func failNextFileSystem() { state.withLock { $0.failFileSystem = true } }

  package func failWrites(after count: Int, and pause: Pause? = nil) {
    state.withLock { ($0.writesLeft, $0.pause) = (count, pause) }
  }

  package func pauseNextRename(_ pause: Pause) { state.withLock { $0.renamePause = pause } }

  package func rename(
    _ name: [UInt8], in directory: Int32, to newName: [UInt8], in target: Int32, _ rule: RenameRule
  ) throws(Errno) {
    let pause = state.withLock { state in
      defer { state.renamePause = nil }
      return state.renamePause
    }
    pause?.begun.signal()
    pause?.goOn.wait()
    try base.rename(name, in: directory, to: newName, in: target, rule)
  }

  package func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(Errno) -> Int {
    let (fails, pause) = state.withLock { state in
      state.writesLeft -= 1
      return (state.writesLeft < 0, state.pause)
    }
    if fails {
      pause?.begun.signal()
      pause?.goOn.wait()
      throw .inputOutput
    }
    return try base.write(bytes, to: descriptor)
  }

  package func flush(_ descriptor: Int32) throws(Errno) {
    let fails = state.withLock { state in
      state.files += 1
      defer { state.failFile = false }
      return state.failFile
    }
    if fails { throw .inputOutput }
  }

  package func flushFileSystem(_ descriptor: Int32) throws(Errno) {
    let fails = state.withLock { state in
      state.fileSystems += 1
      defer { state.failFileSystem = false }
      return state.failFileSystem
    }
    if fails { throw .inputOutput }
  }
}
