import SyncFiles
import SyncFolder

/// A file that lies in `.mirror` and can be brought back.
public struct MirrorRestorable: Sendable, Hashable {
  /// Why it lies there.
  public enum Cause: String, Sendable, CaseIterable {
    /// The catalog had it no longer. It is kept for a time.
    case removed
    /// It wasn't the mirror's, or had been edited, and was in the way. It is kept for ever.
    case displaced
  }

  let file: AwayFile

  init(_ file: AwayFile) {
    self.file = file
  }

  /// Where it was in the folder, escaped.
  public var key: String { file.key.description }

  /// Why it lies there.
  public var cause: Cause {
    switch file.area {
    case .quarantine: .removed
    case .displaced: .displaced
    }
  }

  /// What moved it: the moment in which that run began, in UTC, as `20250131T120000Z`, with a
  /// number behind a dot where a run moved several files of one path.
  public var batch: String { file.batch }

  /// When the run began that moved it, in seconds since 1970.
  public var movedAt: Double { file.movedAt }

  /// Its bytes; 0 for what is no file.
  public var size: Int64 { file.status.kind == .file ? file.status.size : 0 }
}

/// Which files are to be brought back.
public struct RestoreSelection: Sendable, Equatable {
  /// Their keys as ``MirrorRestorable/key`` shows them, or directories with all that was below
  /// them. None, the default, are all.
  public var keys: [String] = []
  /// Only what this batch moved; `nil`, the default, takes the newest of each key.
  public var batch: String?
  /// Only what lies there for these causes. Default: all.
  public var causes = Set(MirrorRestorable.Cause.allCases)

  /// Everything, the newest of each key.
  public init() {}

  /// What is chosen, and what of the selection fits nothing.
  public struct Choice: Sendable, Equatable {
    /// The files, in the order in which they are listed.
    public var files: [MirrorRestorable] = []
    /// Keys of the selection that nothing has.
    public var unknown: [String] = []
    /// How many older files stay, as a newer one of their key is taken.
    public var older = 0
    /// What is wrong with the batch that was named; `nil` also where none was.
    public var batchProblem: BatchProblem?
  }

  /// Why a batch that was named has nothing to bring back.
  public enum BatchProblem: Sendable, Equatable {
    /// Nothing lies there that it moved.
    case unknown
    /// What it moved lies there for other causes than those that are meant.
    case otherCauses
  }

  /// Chooses among the files of a folder, which come as ``FolderMirror/restorable()`` lists them:
  /// the newest first.
  public func choose(from files: [MirrorRestorable]) -> Choice {
    var choice = Choice()
    var taken: Set<String> = []
    var unmet = Set(keys)
    for file in files where causes.contains(file.cause) && batch ?? file.batch == file.batch {
      let met = keys.filter { Self.names($0, file.key) }
      guard keys.isEmpty || !met.isEmpty else { continue }
      unmet.subtract(met)
      guard batch != nil || taken.insert(file.key).inserted else {
        choice.older += 1
        continue
      }
      choice.files.append(file)
    }
    choice.unknown = keys.filter { unmet.contains($0) }
    choice.batchProblem = problem(amid: files, chosen: choice.files)
    return choice
  }

  private func problem(
    amid files: [MirrorRestorable], chosen: [MirrorRestorable]
  ) -> BatchProblem? {
    guard let batch, chosen.isEmpty else { return nil }
    guard files.contains(where: { $0.batch == batch }) else { return .unknown }
    // Of keys, each is told that isn't met.
    return keys.isEmpty ? .otherCauses : nil
  }

  /// Whether what somebody named is a key, or a directory above it.
  private static func names(_ name: String, _ key: String) -> Bool {
    let plain = name.hasSuffix("/") ? String(name.dropLast()) : name
    let (name, key) = (Array(plain.utf8), Array(key.utf8))
    return name == key || key.starts(with: name + [UInt8(ascii: "/")])
  }
}
