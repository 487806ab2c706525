import CatalogMirror
import SyncText

/// Looks for Debian repositories in a list of directories, which is a poor way to mirror them:
/// nothing has a digest there, and indexes may come before the files that they name.
struct SuiteSearch {
  private let listing: Listing
  private let root: URLReference

  init(_ listing: Listing, at root: URLReference) {
    (self.listing, self.root) = (listing, root)
  }

  /// The addresses of suites, without secrets: the first twenty. Where the list doesn't go that
  /// deep, the form that they have.
  var addresses: [String] {
    let names: Set<[UInt8]> = Set(listing.pages.first?.subdirectories.map(\.name) ?? [])
    guard listing.format != .debian else { return [] }
    let found = Set(listing.entries.compactMap(suite) + (isUnsignedSuite ? here : []))
      .sorted().prefix(20)
    guard found.isEmpty, names.isSuperset(of: ["dists", "pool"].map { Array($0.utf8) }) else {
      return Array(found)
    }
    return address(of: "dists/").map { [$0 + "SUITE/"] } ?? []
  }

  private var here: [String] { address(of: "").map { [$0] } ?? [] }

  /// Whether the list is that of a suite that nobody has signed: beside its `Release` its parts
  /// have their lists.
  private var isUnsignedSuite: Bool {
    let list = Array("/binary-".utf8)
    return listing.entries.contains { $0.key.bytes.elementsEqual("Release".utf8) }
      && listing.entries.contains { $0.key.bytes.firstRange(of: list) != nil }
  }

  /// The directory of what names the files of a suite and is signed: a suite's, since those of its
  /// parts aren't.
  private func suite(_ entry: PlaceableEntry) -> String? {
    let key = entry.key.bytes
    let slash = key.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    guard ["InRelease", "Release.gpg"].contains(where: { key[slash...].elementsEqual($0.utf8) })
    else { return nil }
    return address(of: PercentEncoding.encode(path: Array(key[..<slash])))
  }

  private func address(of path: String) -> String? {
    URLReference("./" + path)?.resolved(against: root).redacted
  }
}
