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
  /// ``duplicates(of:key:)``).
  package func problems(of paths: [RelativePath]) -> [Int: KeyCollision] {
    problems(of: paths.count) { paths[$0].bytes[...] }
  }

  /// The same, of so many paths, the bytes of each where they lie.
  package func problems(
    of count: Int, path: (Int) -> ArraySlice<UInt8>
  ) -> [Int: KeyCollision] {
    let forms = folding == .none ? [] : (0..<count).map { folding.fold(Array(path($0))) }
    func form(_ index: Int) -> ArraySlice<UInt8> {
      forms.isEmpty ? path(index) : forms[index][...]
    }
    let order = order(of: count, form)
    var problems: [Int: KeyCollision] = [:]
    var outer: Int?  // the last path that isn't beneath another one
    for place in 0..<count {
      let index = order.isEmpty ? place : Int(order[place])
      if let other = outer, let kind = collision(of: form(index), after: form(other)) {
        problems[index] = KeyCollision(kind: kind, with: ByteString(bytes: Array(path(other))))
        if problems[other] == nil {
          problems[other] = KeyCollision(kind: kind, with: ByteString(bytes: Array(path(index))))
        }
      } else {
        outer = index
      }
    }
    if folding != .none { markMirrorTwins(forms, &problems) }
    return problems
  }

  /// Empty where they are in order.
  private func order(of count: Int, _ form: (Int) -> ArraySlice<UInt8>) -> [UInt32] {
    let isSorted = (0..<count).dropFirst().allSatisfy { !Self.precedes(form($0), form($0 - 1)) }
    return isSorted
      ? [] : (0..<UInt32(count)).sorted { Self.precedes(form(Int($0)), form(Int($1))) }
  }

  /// Those of so many keys that stand in the list more than once. What has no key is passed over.
  package static func duplicates(
    of count: Int, key: (Int) -> ArraySlice<UInt8>?
  ) -> Set<ByteString> {
    // Most lists are sorted one way or the other, which is seen faster than a table is made.
    if isAscending(count, key) { return [] }
    var found: Set<ByteString> = []
    var slots = [UInt32](repeating: 0, count: 1 << (Int.bitWidth - count.leadingZeroBitCount + 1))
    for place in 0..<count {
      guard let bytes = key(place) else { continue }
      var hasher = Hasher()
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
      var slot = hasher.finalize() & (slots.count - 1)
      while slots[slot] != 0, key(Int(slots[slot]) - 1) != bytes {
        slot = (slot + 1) & (slots.count - 1)
      }
      if slots[slot] != 0 { found.insert(ByteString(bytes: Array(bytes))) }
      slots[slot] = UInt32(place + 1)
    }
    return found
  }

  private static func isAscending(_ count: Int, _ key: (Int) -> ArraySlice<UInt8>?) -> Bool {
    var last: ArraySlice<UInt8>?
    for place in 0..<count {
      guard let next = key(place) else { continue }
      if let last, !precedes(last, next) { return false }
      last = next
    }
    return true
  }

  /// Whether one path comes before another where the slash is the least of all bytes, so that all
  /// of "a/…" follows right after "a". (No path holds NUL.)
  private static func precedes(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
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

  private func collision(
    of form: ArraySlice<UInt8>, after outer: ArraySlice<UInt8>
  ) -> KeyCollision.Kind? {
    guard form.starts(with: outer) else { return nil }
    if form.count == outer.count { return .sameName }
    let next = form[form.startIndex + outer.count]
    return next == UInt8(ascii: "/") ? .fileAndDirectory : nil
  }

  private func markMirrorTwins(_ forms: [[UInt8]], _ problems: inout [Int: KeyCollision]) {
    let own = folding.fold(Array(RelativePath.mirrorFolder.utf8))[...]
    for index in forms.indices where collision(of: forms[index][...], after: own) != nil {
      problems[index] = KeyCollision(kind: .sameName, with: ByteString(RelativePath.mirrorFolder))
    }
  }
}

/// Two keys that can't both be files of one folder.
public struct KeyCollision: Hashable, Sendable, CustomStringConvertible {
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

/// What a file system folds when it compares names; the store probes it once.
///
/// The folding here is at least as wide as that of APFS and of ext4 with casefold, so that two keys
/// which such a file system holds for one name are never taken for two.
package struct NameFolding: Hashable, Sendable {
  package var caseFolding: Bool
  /// The composed and the decomposed "é" are one name.
  package var unicodeNormalizing: Bool
  /// "a" and "a." are one name, as on FAT; a blank at the end may be dropped just so.
  package var endDropping: Bool

  /// A folding of these kinds; none by default, as on Linux file systems.
  package init(
    caseFolding: Bool = false, unicodeNormalizing: Bool = false, endDropping: Bool = false
  ) {
    self.caseFolding = caseFolding
    self.unicodeNormalizing = unicodeNormalizing
    self.endDropping = endDropping
  }

  package static let none = NameFolding()

  /// The form in which names that the file system holds for one are equal. Takes valid UTF-8.
  package func fold(_ bytes: [UInt8]) -> [UInt8] {
    guard self != .none else { return bytes }
    var text = String(decoding: bytes, as: UTF8.self)
    if unicodeNormalizing { text = text.decomposed }
    if caseFolding { text = Self.foldCase(text) }
    if unicodeNormalizing { text = text.decomposed }
    return endDropping ? Self.dropEnds(Array(text.utf8)) : Array(text.utf8)
  }

  /// A path without the dots and blanks at its components' ends. One of nothing else stays.
  private static func dropEnds(_ path: [UInt8]) -> [UInt8] {
    let components = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let shortened = components.map { component in
      let end = component.lastIndex { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: " ") }
      return end.map { component[...$0] } ?? component
    }
    return Array(shortened.joined(separator: [UInt8(ascii: "/")]))
  }

  /// Lower, upper and again lower case, scalar by scalar: folds what Unicode's full case folding
  /// folds ("ß" with "SS" and "ẞ", the final sigma with the other), without a locale and without
  /// context. The first step is for capitals that are no other letter's, such as "ẞ".
  private static func foldCase(_ text: String) -> String {
    var folded = text
    for mapping in [\.lowercaseMapping, \.uppercaseMapping, \.lowercaseMapping] as [Mapping] {
      folded = folded.unicodeScalars.reduce(into: "") { $0 += $1.properties[keyPath: mapping] }
    }
    return folded
  }

  private typealias Mapping = KeyPath<Unicode.Scalar.Properties, String>
}
