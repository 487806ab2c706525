import SyncFiles
import SyncLock

/// The right to sync a store: one sync at a time, over all processes.
///
/// It is flock(2) on a file beside the store, `STORE-sync`: it dies with its process, however that
/// ends. Editing and reading don't need it.
package final class SyncTurn: Sendable {
  /// Why the right can't be had.
  package enum Problem: Error, Sendable, Equatable {
    /// Another sync of the store is under way.
    case taken
    /// The file can't be used, for this reason.
    case unusable(path: String, String)
  }

  private let file: Locked<Descriptor?>

  /// Takes the right to sync a store, at once.
  ///
  /// - Parameter path: the store's.
  /// - Throws: ``Problem``.
  package init(storeAt path: String) throws {
    let place = path + "-sync"
    do {
      let cut = place.utf8.lastIndex(of: UInt8(ascii: "/"))
      let directory = try Descriptor.open(
        userPath: cut.map { String(place[...$0]) } ?? ".", [.reading, .directory],
        in: SystemFileSystem())
      let name = cut.map { Array(place.utf8[place.utf8.index(after: $0)...]) } ?? Array(place.utf8)
      let descriptor = try directory.open(
        name: name, [.writing, .creating, .withoutWaiting], mode: 0o644)
      try descriptor.lock(shared: false)
      file = Locked(descriptor)
    } catch .wouldBlock {
      throw Problem.taken
    } catch {
      throw Problem.unusable(path: place, "\(error)")
    }
  }

  /// Gives the right back.
  package func end() {
    file.withLock { $0 = nil }
  }
}

extension SyncTurn.Problem: CustomStringConvertible {
  /// What is wrong, for a place behind a colon.
  package var description: String {
    switch self {
    case .taken: "another sync of this store is under way; try again when it has ended"
    case .unusable(let path, let why): "\(path), by which one sync keeps others away: \(why)"
    }
  }
}
