package import SyncText

/// Keys by name, and directories of which everything is meant.
public struct KeyList: Hashable, Sendable {
  package private(set) var keys: Set<ByteString> = []
  /// The directories, without a slash at the end.
  package private(set) var directories: Set<ByteString> = []
  /// Every directory above one of them.
  private var above: Set<ByteString> = []

  package init() {}

  /// Reads a list: one key a line, a directory with a slash at its end. Lines that begin with `#`
  /// are remarks; a key that does is written with a slash in front. Components `.`, as `find`
  /// writes them, don't count.
  public init(lines text: [UInt8]) {
    for line in TextLines(text) where line.first != UInt8(ascii: "#") { insert(Array(line)) }
  }

  /// Adds a key, or with a slash at its end a directory.
  package mutating func insert(_ name: [UInt8]) {
    let slash = UInt8(ascii: "/")
    var parts = name.split(separator: slash).map(Array.init).filter { $0 != [UInt8(ascii: ".")] }
    guard !parts.isEmpty else { return }
    let key = ByteString(bytes: Array(parts.joined(separator: [slash])))
    if name.last == slash { directories.insert(key) } else { keys.insert(key) }
    parts.removeLast()
    while !parts.isEmpty {
      above.insert(ByteString(bytes: Array(parts.joined(separator: [slash]))))
      parts.removeLast()
    }
  }

  /// Whether a key is named, or lies in a directory that is.
  func contains(_ key: ByteString) -> Bool { keys.contains(key) || isBelowDirectory(key) }

  /// Whether anything in this directory may be named.
  func reaches(_ directory: ByteString) -> Bool {
    above.contains(directory) || directories.contains(directory) || isBelowDirectory(directory)
  }

  private func isBelowDirectory(_ key: ByteString) -> Bool {
    guard !directories.isEmpty else { return false }
    return key.bytes.indices.contains { place in
      key.bytes[place] == UInt8(ascii: "/")
        && directories.contains(ByteString(bytes: Array(key.bytes[..<place])))
    }
  }
}

/// The lines of a file that a person writes: without what ends them, and without empty ones.
struct TextLines: Sequence {
  private let lines: [ArraySlice<UInt8>]

  init(_ text: [UInt8]) {
    lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0
    }
  }

  func makeIterator() -> some IteratorProtocol<ArraySlice<UInt8>> {
    lines.lazy.filter { !$0.isEmpty }.makeIterator()
  }

  /// Each with its number, counted from 1.
  var numbered: [(number: Int, line: ArraySlice<UInt8>)] {
    lines.enumerated().filter { !$1.isEmpty }.map { ($0 + 1, $1) }
  }
}
