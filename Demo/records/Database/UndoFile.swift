import Console
import Foundation
import RecordSync
import SyncText

/// The file in which a sync keeps what takes it back.
struct UndoFile: Sendable {
  private let path: String

  /// Throws where nothing can be written to the file: a sync isn't begun that couldn't be taken
  /// back.
  init(_ path: String) throws {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let directory = parts.dropLast().joined(separator: "/")
    var isDirectory: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    let parent = parts.count == 1 ? "." : directory.isEmpty ? "/" : directory
    guard !(exists && isDirectory.boolValue), access(parent, W_OK | X_OK) == 0 else {
      throw UndoFileProblem.unwritable(path)
    }
    self.path = path
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

/// Why an undo can't be kept or had.
enum UndoFileProblem: Error, Equatable, CustomStringConvertible {
  case unreadable(String)
  /// Found before the sync.
  case unwritable(String)
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
    case .lost(let failure):
      "what was done is done, but its undo couldn't be kept: \(ByteString.escape("\(failure)"))"
    }
  }
}
