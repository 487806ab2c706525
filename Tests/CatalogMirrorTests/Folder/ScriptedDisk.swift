import SyncLock

@testable import CatalogMirror

/// The real disk, but that it counts its flushes, does none of them, and fails when told to.
final class ScriptedDisk: ForwardingFileSystem {
  let base: any FileSystem = SystemFileSystem()
  private let state = Locked(State())

  private struct State {
    var files = 0
    var fileSystems = 0
    var failFile = false
    var failFileSystem = false
  }

  var files: Int { state.withLock { $0.files } }
  var fileSystems: Int { state.withLock { $0.fileSystems } }

  func failNextFile() { state.withLock { $0.failFile = true } }
  func failNextFileSystem() { state.withLock { $0.failFileSystem = true } }

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
