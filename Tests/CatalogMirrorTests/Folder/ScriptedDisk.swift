import Dispatch
import SyncLock

@testable import CatalogMirror

/// The real disk, but that it counts its flushes, does none of them, and fails or waits when told
/// to.
final class ScriptedDisk: ForwardingFileSystem {
  let base: any FileSystem = SystemFileSystem()
  private let state = Locked(State())

  /// Where a call says that it has begun, and waits.
  struct Pause {
    let begun = DispatchSemaphore(value: 0)
    let goOn = DispatchSemaphore(value: 0)
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

  var files: Int { state.withLock { $0.files } }
  var fileSystems: Int { state.withLock { $0.fileSystems } }

  func failNextFile() { state.withLock { $0.failFile = true } }
  func failNextFileSystem() { state.withLock { $0.failFileSystem = true } }

  func failWrites(after count: Int, and pause: Pause? = nil) {
    state.withLock { ($0.writesLeft, $0.pause) = (count, pause) }
  }

  func pauseNextRename(_ pause: Pause) { state.withLock { $0.renamePause = pause } }

  func rename(
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

  func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(Errno) -> Int {
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

  func flush(_ descriptor: Int32) throws(Errno) {
    let fails = state.withLock { state in
      state.files += 1
      defer { state.failFile = false }
      return state.failFile
    }
    if fails { throw .inputOutput }
  }

  func flushFileSystem(_ descriptor: Int32) throws(Errno) {
    let fails = state.withLock { state in
      state.fileSystems += 1
      defer { state.failFileSystem = false }
      return state.failFileSystem
    }
    if fails { throw .inputOutput }
  }
}
