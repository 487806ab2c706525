public import SyncText

/// Finds keys that can't stand side by side in one folder.
///
/// "a" beside "a/b" would be a file and a directory at once; twins are two keys that the file
/// system holds for one name. All partners of a collision fail, and nothing else does. Directories
/// whose names are twins ("a/x" beside "A/y") become one directory, which harms neither file.
/// Sorts once, what isn't sorted: n log n.
package struct CollisionCheck: Sendable {
  private let folding: NameFolding

  /// A check for a file system that folds names like this.
  package init(folding: NameFolding) {
    self.folding = folding
  }

  /// The problems of these paths, by their index. The paths differ as bytes (see
  /// ``firstDuplicate(in:)``).
  package func problems(of paths: [RelativePath]) -> [Int: KeyCollision] {
    let forms = folding == .none ? [] : paths.map { folding.fold($0.bytes) }
    func form(_ index: Int) -> [UInt8] { forms.isEmpty ? paths[index].bytes : forms[index] }
    let isSorted = paths.indices.dropFirst().allSatisfy { !Self.precedes(form($0), form($0 - 1)) }
    let order = isSorted ? [] : paths.indices.sorted { Self.precedes(form($0), form($1)) }
    var problems: [Int: KeyCollision] = [:]
    var outer: Int?  // the last path that isn't beneath another one
    for place in paths.indices {
      let index = isSorted ? place : order[place]
      if let other = outer, let kind = collision(of: form(index), after: form(other)) {
        problems[index] = KeyCollision(kind: kind, with: paths[other].key)
        if problems[other] == nil {
          problems[other] = KeyCollision(kind: kind, with: paths[index].key)
        }
      } else {
        outer = index
      }
    }
    if folding != .none { markMirrorTwins(paths, forms, &problems) }
    return problems
  }

  /// The first key that stands in the list a second time: an error of the whole listing.
  package static func firstDuplicate(in keys: [ByteString]) -> ByteString? {
    // Most lists are sorted one way or the other, which is seen faster than a set is made.
    if isAscending(keys) { return nil }
    var seen = Set<ByteString>(minimumCapacity: keys.count)
    return keys.first { !seen.insert($0).inserted }
  }

  private static func isAscending(_ keys: [ByteString]) -> Bool {
    keys.indices.dropFirst().allSatisfy { precedes(keys[$0 - 1].bytes, keys[$0].bytes) }
  }

  /// Whether one path comes before another where the slash is the least of all bytes, so that all
  /// of "a/…" follows right after "a". (No path holds NUL.)
  private static func precedes(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.withUnsafeBytes { one in
      other.withUnsafeBytes { other in
        let count = min(one.count, other.count)
        var place = 0
        while place + 8 <= count,
          one.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            == other.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        { place += 8 }
        while place < count, one[place] == other[place] { place += 1 }
        guard place < count else { return one.count < other.count }
        return rank(one[place]) < rank(other[place])
      }
    }
  }

  private static func rank(_ byte: UInt8) -> UInt8 { byte == UInt8(ascii: "/") ? 0 : byte }

  private func collision(of form: [UInt8], after outer: [UInt8]) -> KeyCollision.Kind? {
    guard form.starts(with: outer) else { return nil }
    if form.count == outer.count { return .sameName }
    return form[outer.count] == UInt8(ascii: "/") ? .fileAndDirectory : nil
  }

  private func markMirrorTwins(
    _ paths: [RelativePath], _ forms: [[UInt8]], _ problems: inout [Int: KeyCollision]
  ) {
    let own = folding.fold(Array(RelativePath.mirrorFolder.utf8))
    for index in forms.indices where collision(of: forms[index], after: own) != nil {
      problems[index] = KeyCollision(kind: .sameName, with: ByteString(RelativePath.mirrorFolder))
    }
  }
}

/// Two keys that can't both be files of one folder.
public struct KeyCollision: Error, Hashable, Sendable {
  /// In what way they collide.
  public enum Kind: Hashable, Sendable {
    /// One of them would have to be a directory.
    case fileAndDirectory
    /// The file system holds both names for one.
    case sameName
  }

  /// In what way they collide.
  public let kind: Kind
  /// The other key, or one of them.
  public let with: ByteString

  /// A collision with that key.
  public init(kind: Kind, with: ByteString) {
    self.kind = kind
    self.with = with
  }
}

extension KeyCollision: CustomStringConvertible {
  /// What is wrong, as the end of a sentence that began with the key.
  public var description: String {
    switch kind {
    case .fileAndDirectory:
      "collides with '\(with)': one of the two would have to be a directory"
    case .sameName:
      "collides with '\(with)': the folder's file system holds both names for one"
    }
  }
}
