import SyncText

/// Where to go on from the page of a directory.
enum DirectoryWay: Equatable {
  case everything
  /// It lists the same as one above it: only to the directory through which the way led down from
  /// there, to find out whether that comes again.
  case only([UInt8])
  /// A link leads back to one above: nowhere from the first page that repeats it.
  case nowhere(first: String, above: String)
}

/// Directories that a source lists without an end, since a link in them leads back to one above.
///
/// No listing tells a link from a directory. What tells is that the same lists come again and again
/// on the same way down: then the first directory that repeats one above it is left alone. A tree
/// that holds copies of itself ends somewhere: to be mistaken, so many of them would have to agree
/// in every name, size and date that is listed; and even then nothing that is held is removed.
extension ListingAssembly {
  /// How often a list has to come again. People nest copies a few deep; and a system follows 40
  /// links at most on one way (Linux, path_resolution(7)), which is enough for circles of four.
  private static let certain = 10

  /// Where to go on from a page that was read, when all above it were.
  func way(from id: String) -> DirectoryWay {
    guard case .page(let page, _) = nodes[id]?.state, let node = nodes[id],
      !page.subdirectories.isEmpty
    else { return .everything }
    let same = pagesAbove(id).filter { above in
      guard let other = nodes[above] else { return false }
      return node.listsTheSame(as: other)
    }
    guard let nearest = same.first, let furthest = same.last, let above = nodes[nearest] else {
      return .everything
    }
    guard same.count >= Self.certain || 2 * node.depth - above.depth > options.limits.depth else {
      let step = node.prefix.dropFirst(above.prefix.count).prefix { $0 != UInt8(ascii: "/") }
      // A filter that leaves that directory out ends what might go round, and proves nothing.
      return node.leads(to: step) ? .only(Array(step)) : .everything
    }
    return .nowhere(
      first: same.count > 1 ? same[same.count - 2] : id, above: shown(furthest))
  }

  /// What a page leads to, in its place, but for what was asked for before.
  func children(of id: String, along way: DirectoryWay) -> [(id: String, place: PageNode)] {
    guard let node = nodes[id] else { return [] }
    return node.children.compactMap { child, place in
      var place = place
      place.parent = place.role == .directory ? id : node.parent
      switch way {
      case .everything: if node.isReleased, nodes[child]?.parent == id { return nil }
      case .only(let name): guard place.prefix == node.prefix + name + "/".utf8 else { return nil }
      case .nowhere: return nil
      }
      return (child, place)
    }
  }

  /// The directories' pages on the way to one, from the one that named it up.
  func pagesAbove(_ id: String) -> [String] {
    var above: [String] = []
    while let parent = nodes[above.last ?? id]?.parent { above.append(parent) }
    return above
  }
}

extension PageNode {
  /// Whether the directory of a name in it is to be asked for.
  fileprivate func leads(to name: some Sequence<UInt8>) -> Bool {
    let below = prefix + name + "/".utf8
    return children.contains { $0.place.prefix == below }
  }

  /// Whether both are all of a list, with the same names, sizes and dates.
  fileprivate func listsTheSame(as other: PageNode) -> Bool {
    guard case .page(let page, _) = state, case .page(let above, _) = other.state,
      page.next == nil, above.next == nil, page.entries.count == above.entries.count,
      page.subdirectories.count == above.subdirectories.count,
      zip(page.subdirectories, above.subdirectories).allSatisfy({ $0.name == $1.name })
    else { return false }
    return zip(page.entries, above.entries).allSatisfy { one, another in
      one.name(below: prefix) == another.name(below: other.prefix) && one.isListed(as: another)
    }
  }
}

extension ListedEntry {
  fileprivate func name(below prefix: [UInt8]) -> ArraySlice<UInt8>? {
    key?.bytes.dropFirst(prefix.count)
  }

  /// Whether another one says the same, whatever its name.
  fileprivate func isListed(as other: ListedEntry) -> Bool {
    switch (self, other) {
    case (.entry(let one, _), .entry(let other, _)):
      one.version == other.version && one.size == other.size
        && one.estimatedSize == other.estimatedSize
    case (.unusable(let one), .unusable(let other)): one.problem == other.problem
    case (.entry, .unusable), (.unusable, .entry): false
    }
  }
}

extension UnreadableDirectory {
  /// A directory that lists once more what one above it lists.
  init(repeating above: String, at url: String, prefix: [UInt8]) {
    let text = KeyPattern.text(of: prefix)
    let isPrintable = text.allSatisfy { (0x20..<0x7F).contains($0) }
    let pattern = isPrintable ? String(decoding: text, as: UTF8.self) : ByteString.escape(text)
    self.init(
      prefix: prefix, url: url,
      reason: """
        it lists the same as \(above) above it, and so does each directory further down, so that \
        it is taken for a link that leads back; if it is one, leave it out for good by excluding \
        '\(pattern)'
        """, advice: .leaveOut, isRepetition: true)
  }
}
