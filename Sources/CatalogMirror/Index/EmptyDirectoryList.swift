import SyncFolder
import SyncText

/// Paths of directories that hold nothing, in their order, as the index keeps them: a line each.
struct EmptyDirectoryList: Equatable, Sendable {
  private(set) var paths: [RelativePath]

  init(_ paths: some Sequence<RelativePath>) {
    self.paths = Set(paths).sorted { $0.key < $1.key }
  }

  /// No path holds a line break.
  var text: String { paths.map(\.string).joined(separator: "\n") }

  init(kept text: String?) {
    let lines = (text ?? "").utf8.split(separator: UInt8(ascii: "\n"))
    self.init(lines.compactMap { try? RelativePath(CatalogKey(bytes: Array($0))) })
  }

  init(_ name: ValueName, in index: some IndexAccess) throws {
    self.init(kept: try index.value(name))
  }

  /// Those that aren't in another list.
  func subtracting(_ other: EmptyDirectoryList) -> EmptyDirectoryList {
    let others = Set(other.paths)
    return EmptyDirectoryList(paths.filter { !others.contains($0) })
  }

  /// Those of both.
  func union(_ other: EmptyDirectoryList) -> EmptyDirectoryList {
    EmptyDirectoryList(paths + other.paths)
  }
}
