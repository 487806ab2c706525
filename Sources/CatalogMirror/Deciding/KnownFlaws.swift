import SyncEngine
import SyncFetching
import SyncText
import SyncTransport

/// Items that the source lists and didn't give in the last run, for good: links that lead nowhere,
/// files without rights, names that no file can have. None of them was ever held.
///
/// The same ones once more are told without ending as if something had gone wrong, and are no
/// reason against what comes last.
struct KnownFlaws: Equatable, Sendable {
  let keys: Set<CatalogKey>

  /// Of more, none is remembered.
  static let most = 10_000

  init(_ keys: Set<CatalogKey> = []) {
    self.keys = keys
  }

  /// What the last run left, without what came to be held since.
  init(in index: some IndexAccess) throws {
    let lines = try index.value(.flawedItems)?.split(separator: "\n") ?? []
    try self.init(Set(lines.compactMap { Self.key($0) }), notHeldIn: index)
  }

  /// Those of these keys that an index doesn't know: what it knows was held once. A source that has
  /// given nothing yet has no flaws that anybody would get used to.
  init(_ keys: Set<CatalogKey>, notHeldIn index: some IndexAccess) throws {
    let hasGiven = try !index.items(after: nil, atMost: 1).isEmpty
    self.init(hasGiven ? try keys.filter { try index.item($0) == nil } : [])
  }

  /// A line each, in hexadecimal digits, as keys are any bytes.
  var text: String? {
    guard !keys.isEmpty, keys.count <= Self.most else { return nil }
    return keys.sorted().map { $0.bytes.map(Hexadecimal.lower).joined() }.joined(separator: "\n")
  }

  private static func key(_ line: Substring) -> CatalogKey? {
    let digits = line.utf8.compactMap { Hexadecimal.value(ofDigit: $0) }
    guard digits.count == line.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    return CatalogKey(
      bytes: stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
  }
}

extension MirrorPass {
  /// What the last run couldn't have of the source is known.
  mutating func flawsAreKnown(_ flaws: KnownFlaws) { knownFlaws = flaws }

  /// An item's content can't be had. What comes last may come, where the last run couldn't have it
  /// either.
  mutating func failed(_ item: MirrorItem, _ error: any Error) {
    let isKnown = item.id.key.map(knownFlaws.keys.contains) ?? false
    if isKnown, isFlaw(item.id, error) { last.passOver() } else { last.fail() }
  }

  /// Whether an item failed since the source doesn't give it, now or later.
  ///
  /// What walks through directories lists whatever lies there. What a catalog names is promised:
  /// there a person says which answers mean nothing.
  func isFlaw(_ id: MirrorItem.ID, _ error: any Error) -> Bool {
    guard id.key != nil else { return false }
    let isWalked = fetched?.listing.format.isOfDirectories ?? false
    switch error {
    case is UnusableEntry: return isWalked
    case let error as FileSourceError: return isWalked && error.absence != nil
    case let error as TransportError:
      guard case .status(let status) = error.code, !error.isTransient else { return false }
      return isWalked && error.absence != nil || rules.skippedStatuses.contains(status)
    default: return false
    }
  }

  /// Whether what can't be used is what the source didn't give in the last run either, so that a
  /// run has nothing new to say of it. What it refused then is taken for refused once more.
  func failsOnly(by flaws: KnownFlaws) -> Bool {
    guard let listing = fetched?.listing, listing.keyless.count == 0, decided.misplaced.isEmpty,
      listing.unusable.allSatisfy({ isFlaw(MirrorItem.unusable($0).id, $0) })
    else { return false }
    let planned = flaws.keys.isEmpty ? [] : decided.planned
    let asked = planned.lazy.filter { $0.entry != nil }.compactMap(\.id.key)
    let unusable = Set(listing.unusable.compactMap(\.key))
    return unusable.union(asked.filter(flaws.keys.contains)) == flaws.keys
  }

  /// The items of a pass that has ended of which nothing else went wrong.
  func flaws(of report: PassReport<MirrorItem.ID>) -> KnownFlaws {
    let others = report.failures.filter { failure in
      failure.key.map { !isFlaw($0, failure.cause) } ?? true
    }
    let keys = Set(report.failures.compactMap { $0.key?.key })
    return KnownFlaws(keys.subtracting(others.compactMap { $0.key?.key }))
  }
}

extension CatalogFormatName {
  private static let ofDirectories: Set<CatalogFormatName> = [
    .listing, .apache, .caddyHTML, .caddyJSON, .lighttpd, .nginxFancyIndex, .nginxHTML,
    .nginxJSON, .nginxXML, .python, .webdav,
  ]

  /// Whether it lists what lies in directories, as servers do by themselves.
  fileprivate var isOfDirectories: Bool { Self.ofDirectories.contains(self) }
}
