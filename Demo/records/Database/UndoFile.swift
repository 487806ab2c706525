import Console
import RecordSync

struct UndoFile: Sendable {
  private let file: OutputFile
  /// Whether it holds an earlier one.
  private let holdsUndo: Bool

  /// Throws where the undo can't be kept: a sync isn't begun that couldn't be taken back.
  ///
  /// - Parameter needed: Files that aren't to be written over.
  init(_ path: String, besides needed: [String]) throws {
    file = OutputFile(path)
    guard file.mayBeWritten else { throw UndoFileProblem.unwritable(path) }
    let here = try? PathFacts(of: path).identity
    let isNeeded = needed.contains { here != nil && (try? PathFacts(of: $0))?.identity == here }
    guard !isNeeded else { throw UndoFileProblem.needed(path) }
    // Only an earlier undo, or a file with nothing in it. What isn't a file keeps nothing.
    let held = try file.bytes() ?? []
    holdsUndo = try !held.isEmpty && Self.isUndo(held, path)
  }

  private static func isUndo(_ bytes: [UInt8], _ path: String) throws -> Bool {
    guard (try? RecordUndo(bytes: bytes)) != nil else { throw UndoFileProblem.needed(path) }
    return true
  }

  /// Keeps it, in place of what the file held; one that takes nothing back doesn't take the place
  /// of one that may.
  func keep(_ undo: RecordUndo) throws(UndoFileProblem) {
    guard !(holdsUndo && undo.isEmpty) else { return }
    do throws(OutputFile.Problem) {
      try file.write(undo.bytes)
    } catch {
      throw .lost(error)
    }
  }
}

enum UndoFileProblem: Error, Equatable, CustomStringConvertible {
  case unreadable(String)
  /// Found before the sync.
  case unwritable(String)
  /// It holds something else; found before the sync.
  case needed(String)
  /// Found after it.
  case lost(OutputFile.Problem)

  var description: String {
    switch self {
    case .unreadable(let path):
      "the undo '\(path.escaped)' can't be read; check its name and rights"
    case .unwritable(let path):
      """
      nothing can be written to '\(path.escaped)', which is to keep the undo, and so \
      nothing was synced; name another file
      """
    case .needed(let path):
      """
      '\(path.escaped)' holds something else than an undo, and so nothing was synced; \
      name another file for the undo
      """
    case .lost(let failure):
      "what was done is done, but its undo couldn't be kept: \("\(failure)".escaped)"
    }
  }
}
