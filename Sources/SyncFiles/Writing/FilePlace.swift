import SyncSystem

/// Where a path leads that is to be written to.
///
/// Links are followed as anywhere else, but for those that somebody else may have planted: a link
/// in the place of the file has to be the user's own or the system administrator's, and so has
/// whatever stands in a directory that everybody may write to.
package struct FilePlace: Sendable {
  /// The directory of the last name, once all links are followed; only to open other names in.
  package let directory: Descriptor
  /// The names that lead to that directory from the root, without links, `.` and `..`.
  package let parents: [[UInt8]]
  package let name: [UInt8]
  package let kind: Kind
  /// What tells the file that stands there from all others; empty where none does.
  let identity: [UInt64]

  /// What stands in the place of a file.
  package enum Kind: Equatable, Sendable {
    case nothing
    case file
    /// A device, a FIFO, or what another process has open.
    case stream
    /// What this process has open under that number, as `/dev/stdout`.
    case open(Int32)
  }

  /// Goes along a path of the user's own.
  /// - Throws: Also ``Errno/planted``, and ``Errno/isADirectory`` where a directory stands there.
  package init(userPath path: String) throws(Errno) {
    var walk = try PathWalk(path)
    self = try walk.run()
  }

  fileprivate init(
    _ name: [UInt8], in directory: Descriptor, below parents: [[UInt8]], _ kind: Kind,
    _ identity: [UInt64]
  ) {
    (self.directory, self.parents, self.name) = (directory, parents, name)
    (self.kind, self.identity) = (kind, identity)
  }
}

private struct PathWalk {
  private var here: Descriptor
  private var parents: [[UInt8]] = []
  private var rest: [[UInt8]] = []
  private var links = 0

  /// As many as Linux follows.
  private static let mostLinks = 40

  init(_ path: String) throws(Errno) {
    let system = SystemFileSystem()
    here = try .open(userPath: path.hasPrefix("/") ? "/" : ".", .passing, in: system)
    if !path.hasPrefix("/") { parents = Self.names(Array(try system.resolved(userPath: ".").utf8)) }
    // What ends with a slash is a directory.
    rest = Self.names(Array(path.utf8)) + (path.hasSuffix("/") ? [Array(".".utf8)] : [])
  }

  private static func names(_ path: [UInt8]) -> [[UInt8]] {
    path.split(separator: UInt8(ascii: "/")).map(Array.init)
  }

  mutating func run() throws(Errno) -> FilePlace {
    while let name = rest.first {
      rest.removeFirst()
      let isLast = rest.isEmpty
      if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) {
        try pass(name)
      } else if let facts = try facts(of: name) {
        if facts.st_mode & S_IFMT == S_IFLNK {
          if isLast, let kind = openKind(name) { return place(name, kind) }
          try follow(name, facts, isLast)
        } else if isLast {
          return place(name, try kind(of: facts), facts)
        } else {
          try pass(name)
        }
      } else if isLast {
        return place(name, .nothing)
      } else {
        throw .absent
      }
    }
    throw .isADirectory
  }

  private func place(
    _ name: [UInt8], _ kind: FilePlace.Kind, _ facts: stat? = nil
  ) -> FilePlace {
    let status = facts.map { FileStatus($0) }
    return FilePlace(
      name, in: here, below: parents, kind, status.map { [$0.device, $0.inode] } ?? [])
  }

  private mutating func pass(_ name: [UInt8]) throws(Errno) {
    here = try here.open(name: name, .passing)
    if name.elementsEqual("..".utf8) {
      _ = parents.popLast()
    } else if !name.elementsEqual(".".utf8) {
      parents.append(name)
    }
  }

  private mutating func follow(_ name: [UInt8], _ facts: stat, _ isLast: Bool) throws(Errno) {
    links += 1
    guard links <= Self.mostLinks else { throw .link }
    if !Self.isTrusted(facts) {
      guard !isLast, try !isShared() else { throw .planted }
    }
    let text = try text(of: name)
    if text.first == UInt8(ascii: "/") {
      here = try .open(userPath: "/", .passing, in: here.fileSystem)
      parents = []
    }
    let endsInSlash = text.last == UInt8(ascii: "/")
    rest = Self.names(text) + (endsInSlash && isLast ? [Array(".".utf8)] : []) + rest
  }

  private func text(of name: [UInt8]) throws(Errno) -> [UInt8] {
    var text = [CChar](repeating: 0, count: Int(PATH_MAX))
    let size = text.count
    let count = try retrying {
      withTerminated(name) { readlinkat(here.raw, $0, &text, size) }
    }
    return text.prefix(count).map { UInt8(bitPattern: $0) }
  }

  /// What stands there, no link followed; `nil` when nothing does.
  private func facts(of name: [UInt8]) throws(Errno) -> stat? {
    var facts = stat()
    do {
      _ = try retrying {
        withTerminated(name) { fstatat(here.raw, $0, &facts, AT_SYMLINK_NOFOLLOW) }
      }
    } catch .absent {
      return nil
    }
    return facts
  }

  private func kind(of facts: stat) throws(Errno) -> FilePlace.Kind {
    let kind = FileStatus(facts).kind
    if kind == .directory { throw .isADirectory }
    // A second name may be one that somebody gave to a file of this user's.
    let isPlanted = !Self.isTrusted(facts) || kind == .file && facts.st_nlink > 1
    if isPlanted, try isShared() { throw .planted }
    switch kind {
    case .file: return .file
    case .special(.socket): throw .noDevice
    default: return .stream
    }
  }

  /// What a name stands for among those of the files that a process has open. Linux shows them as
  /// links, whose texts lead nowhere or to another file than what is open.
  private func openKind(_ name: [UInt8]) -> FilePlace.Kind? {
    #if os(Linux)
      guard parents.count >= 3, parents[0].elementsEqual("proc".utf8),
        parents.last?.elementsEqual("fd".utf8) == true,
        let number = Int32(String(decoding: name, as: UTF8.self))
      else { return nil }
      return parents[1].elementsEqual("\(getpid())".utf8) ? .open(number) : .stream
    #else
      return nil
    #endif
  }

  private static func isTrusted(_ facts: stat) -> Bool {
    facts.st_uid == 0 || facts.st_uid == geteuid()
  }

  private func isShared() throws(Errno) -> Bool { try here.status().mode & UInt32(S_IWOTH) != 0 }
}

extension OpenFlags {
  /// Only to open other names in: that needs no right to list them.
  #if os(Linux)
    fileprivate static let passing = OpenFlags(rawValue: O_DIRECTORY | 0o10_000_000)  // O_PATH
  #else
    fileprivate static let passing: OpenFlags = [.reading, .directory]
  #endif
}
