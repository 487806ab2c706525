import Console
import RecordSync
import SyncFiles
import SyncSystem
import SyncText

/// The file in which a sync keeps what takes it back.
struct UndoFile: Sendable {
  private let path: String

  /// Throws where the undo can't be kept: a sync isn't begun that couldn't be taken back.
  ///
  /// - Parameter needed: Files that aren't to be written over.
  init(_ path: String, besides needed: [String]) throws {
    guard let place = try? FilePlace(userPath: path), place.mayBeWritten else {
      throw UndoFileProblem.unwritable(path)
    }
    let isNeeded = needed.contains {
      FileIdentity(of: $0).map { $0 == FileIdentity(of: path) } ?? false
    }
    guard !isNeeded, try Self.mayBeReplaced(place) else { throw UndoFileProblem.needed(path) }
    self.path = path
  }

  /// Only an earlier undo, or a file with nothing in it. What isn't a file keeps nothing.
  private static func mayBeReplaced(_ place: FilePlace) throws -> Bool {
    guard let bytes = try place.bytes(), !bytes.isEmpty else { return true }
    return (try? RecordUndo(bytes: bytes)) != nil
  }

  /// Keeps it, in place of what the file held.
  func keep(_ undo: RecordUndo) throws(UndoFileProblem) {
    do throws(WholeFile.Failure) {
      try WholeFile.write(undo.bytes, to: path)
    } catch {
      throw .lost(error)
    }
  }
}

/// What tells a file from all others, whatever it is called.
private struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64

  /// `nil` where there is none.
  init?(of path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    (device, number) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
  }
}

/// Why an undo can't be kept or had.
enum UndoFileProblem: Error, Equatable, CustomStringConvertible {
  case unreadable(String)
  /// Found before the sync.
  case unwritable(String)
  /// It holds something else; found before the sync.
  case needed(String)
  /// Found after it.
  case lost(WholeFile.Failure)

  var description: String {
    switch self {
    case .unreadable(let path):
      "the undo '\(ByteString.escape(path))' can't be read; check its name and rights"
    case .unwritable(let path):
      """
      nothing can be written to '\(ByteString.escape(path))', which is to keep the undo, and so \
      nothing was synced; name another file
      """
    case .needed(let path):
      """
      '\(ByteString.escape(path))' holds something else than an undo, and so nothing was synced; \
      name another file for the undo
      """
    case .lost(let failure):
      "what was done is done, but its undo couldn't be kept: \(ByteString.escape("\(failure)"))"
    }
  }
}
