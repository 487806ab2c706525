import SyncFiles
import SyncLock

/// A file by which one process keeps others of the same program away. It is flock(2), and dies with
/// its process, however that ends.
public final class ProgramLock: Sendable {
  /// Another process has it.
  public struct Held: Error {}

  private let file: Locked<Descriptor?>

  /// Takes the lock at once, on a file that is made if it's missing.
  /// - Throws: ``Held``, or ``OutputFile/Problem``.
  public init(at path: String) throws {
    do throws(Errno) {
      let place = try FilePlace(userPath: path)
      let descriptor = try place.directory.open(
        name: place.name, [.writing, .creating, .withoutWaiting], mode: 0o644)
      try descriptor.lock(shared: false)
      file = Locked(descriptor)
    } catch .wouldBlock {
      throw Held()
    } catch {
      throw OutputFile.Problem(path: path, reason: error.text)
    }
  }

  /// Gives the lock back.
  public func release() { file.withLock { $0 = nil } }
}
