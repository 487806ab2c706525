internal import SyncText

/// A path below a directory that is held open.
///
/// Made only from validated paths, from names that the system listed, and from our own constants,
/// so no component is empty, `.` or `..`.
package struct BeneathPath: Hashable, Sendable, CustomStringConvertible {
  /// Components joined by `/`; empty for the directory itself.
  package let bytes: [UInt8]

  package static let root = BeneathPath(checked: [])

  /// A path of components that were checked, joined by `/`.
  package init(checked bytes: [UInt8]) {
    self.bytes = bytes
  }

  package var isRoot: Bool { bytes.isEmpty }

  /// The directory that this stands in; its own is the directory itself.
  package var parent: BeneathPath {
    guard let slash = bytes.lastIndex(of: Self.separator) else { return .root }
    return BeneathPath(checked: Array(bytes[..<slash]))
  }

  /// The first component; empty for the directory itself.
  package var top: BeneathPath {
    BeneathPath(checked: Array(bytes.prefix { $0 != Self.separator }))
  }

  package var name: [UInt8] {
    guard let slash = bytes.lastIndex(of: Self.separator) else { return bytes }
    return Array(bytes[(slash + 1)...])
  }

  package func appending(_ name: [UInt8]) -> BeneathPath {
    isRoot ? BeneathPath(checked: name) : BeneathPath(checked: bytes + [Self.separator] + name)
  }

  package func appending(_ name: String) -> BeneathPath { appending(Array(name.utf8)) }

  package func appending(_ path: BeneathPath) -> BeneathPath {
    path.isRoot ? self : appending(path.bytes)
  }

  private static let separator = UInt8(ascii: "/")

  /// For people: escaped as ``ByteString`` is.
  package var description: String { isRoot ? "the folder" : ByteString.escape(bytes) }
}
