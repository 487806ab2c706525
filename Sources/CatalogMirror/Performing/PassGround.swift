import SyncFiles
import SyncFolder

/// What a pass works on: a folder that a sync holds open, or one that a plan only looks at and that
/// need not be a mirror yet.
enum PassGround: Sendable {
  case session(MirrorSession)
  case inspection(FolderInspection)

  /// `nil` where there is no mirror yet.
  var folder: MirrorFolder? {
    switch self {
    case .session(let session): session.folder
    case .inspection(let inspection): inspection.folder
    }
  }

  /// The folder, mirror or not; `nil` where there is none.
  var place: MirrorFolder? {
    switch self {
    case .session(let session): session.folder
    case .inspection(let inspection): inspection.place
    }
  }

  /// `nil` where there is no mirror yet.
  var index: MirrorIndex? {
    switch self {
    case .session(let session): session.index
    case .inspection(let inspection): inspection.index
    }
  }

  /// Whether nothing is to be changed.
  var isInspection: Bool { if case .inspection = self { true } else { false } }

  /// Where files are looked at.
  var fileQueue: any DiskQueue {
    switch self {
    case .session(let session): session.fileQueue
    case .inspection(let inspection): inspection.fileQueue
    }
  }

  /// What a sync works with; a plan never asks.
  var session: MirrorSession {
    guard case .session(let session) = self else {
      preconditionFailure("a plan changes nothing in the folder")
    }
    return session
  }
}
