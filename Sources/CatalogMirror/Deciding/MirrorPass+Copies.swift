import SyncFolder
import SyncText

/// What needn't be fetched, since its bytes are here: under another key, or in quarantine.
extension MirrorPass {
  /// What is to be had of an item, and lies here already.
  struct Copies: Sendable {
    var content: HeldBytes?
    var preview: HeldBytes?
  }

  /// The digests of all that is to be had of these items, as far as the catalog gives them. Of
  /// nothing there is nothing to look for, nor of what is in its place most likely.
  func wantedDigests(of items: [MirrorItem]) -> [SHA256Digest] {
    var digests: [SHA256Digest] = []
    let want = { (digest: SHA256Digest?) in
      if let digest, digest != .ofNothing { digests.append(digest) }
    }
    for item in items {
      guard let entry = item.entry else { continue }
      let need = need(of: item)
      if need.mayBeCopied, mayBeInPlace(item) == nil { want(entry.sha256) }
      if need.preview != nil { want(entry.preview?.sha256) }
    }
    return digests
  }

  /// Whether these bytes aren't where the index says: of what the look at the files found, a plan
  /// tells it nothing.
  func isLost(_ bytes: HeldBytes) -> Bool {
    switch bytes.place {
    case .item: view.isDamaged(bytes.key)
    case .preview: view.findings?.damagedPreviews[bytes.key] != nil
    case .quarantined, .staged: false
    }
  }

  /// What of an item would be made of bytes that are here.
  func copies(for item: MirrorItem) -> Copies {
    guard !decided.heldBytes.isEmpty, let entry = item.entry else { return Copies() }
    let need = need(of: item)
    var copies = Copies()
    if need.mayBeCopied {
      copies.content = held(entry.sha256, size: entry.size, besides: .item(entry.key))
    }
    if need.preview != nil, let preview = entry.preview {
      let own = held(item.id)?.preview.map { CopyOrigin.preview(name: $0.name) }
      copies.preview = held(preview.sha256, size: preview.size, besides: own)
    }
    return copies
  }

  /// These items in an order in which what is copied from a file comes before what replaces that
  /// file, since a large one is placed as soon as it is there. Of those that change places in a
  /// circle, one may come too late, and is fetched.
  func copiesFirst(_ items: [MirrorItem]) -> [MirrorItem] {
    var copiers: [CatalogKey: [Int]] = [:]
    for place in items.indices.reversed() {
      let copies = copies(for: items[place])
      for case .item(let key)? in [copies.content?.place, copies.preview?.place] {
        copiers[key, default: []].append(place)
      }
    }
    guard !copiers.isEmpty else { return items }
    var ordered: [MirrorItem] = []
    ordered.reserveCapacity(items.count)
    var isMet = Array(repeating: false, count: items.count)
    for first in items.indices where !isMet[first] {
      var path = [first]
      while let place = path.last {
        isMet[place] = true
        if let key = items[place].id.key, let copier = copiers[key]?.popLast() {
          if !isMet[copier] { path.append(copier) }
        } else {
          ordered.append(items[place])
          path.removeLast()
        }
      }
    }
    return ordered
  }

  /// Those of these items whose contents are copied.
  func copied(among items: [MirrorItem]) -> Set<CatalogKey> {
    guard !decided.heldBytes.isEmpty else { return [] }
    return Set(items.filter { copies(for: $0).content != nil }.compactMap(\.entry?.key))
  }

  /// A catalog that gives another size for bytes of the same digest lies: the server will tell. And
  /// nothing is made of the file that it would replace.
  private func held(
    _ digest: SHA256Digest?, size: Int64?, besides own: CopyOrigin?
  ) -> HeldBytes? {
    guard let digest, let found = decided.heldBytes[digest], size ?? found.size == found.size,
      found.place != own
    else { return nil }
    return found
  }
}

extension ItemNeed {
  /// Whether a content is to be had. What the server is only asked about is held most often.
  fileprivate var mayBeCopied: Bool { content != nil && content != .unsettled }
}

/// What of an item would be copied from where, as people are told. By reference: of a million
/// items there are few.
final class CopySources: Equatable, Sendable {
  let content: CopySource?
  let preview: CopySource?

  /// `nil` where nothing is.
  init?(_ copies: MirrorPass.Copies) {
    guard copies.content != nil || copies.preview != nil else { return nil }
    (content, preview) = (copies.content?.source, copies.preview?.source)
  }

  static func == (one: CopySources, other: CopySources) -> Bool {
    one.content == other.content && one.preview == other.preview
  }
}

extension HeldBytes {
  /// As people are told of it.
  var source: CopySource {
    let place: CopySource.Place =
      switch place {
      case .item, .staged: .content
      case .preview: .preview
      case .quarantined: .quarantine
      }
    return CopySource(key: key.description, place: place)
  }
}
