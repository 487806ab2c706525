import CatalogMirror
import XCTest
@testable import SyncText

/// An assembly that has begun, and what a fetcher would tell it.
struct Run {
  static let root = "https://h/d/"
  var assembly: ListingAssembly
  /// What it asked for first.
  let first: ListingAssembly.Action

  init(
    recorded: RecordedListing? = nil, highest: Int64? = nil,
    _ configure: (inout ListingAssembly.Options) -> Void = { _ in }
  ) throws {
    var options = ListingAssembly.Options()
    configure(&options)
    assembly = ListingAssembly(
      root: try Golden.url(Self.root), options: options, recorded: recorded,
      highestRevision: highest)
    first = assembly.begin()
  }

  func request(_ path: String, isConditional: Bool = false) -> PageRequest {
    PageRequest(CatalogRequest(Self.root + path), isConditional: isConditional)
  }

  func page(_ keys: [String], claim: CompletenessClaim) -> CatalogPage {
    var page = CatalogPage(format: .catalog, claim: claim)
    page.entries = keys.map { key in
      let entry = CatalogEntry(
        key: CatalogKey(key), locators: ["https://h/x"], version: .revision("1"))
      return .entry(entry, settled: true)
    }
    return page
  }

  mutating func fetch(
    _ path: String, _ keys: [String], next: String? = nil, directories: [String] = [],
    count: Int64? = nil, revision: String? = nil, claim: CompletenessClaim = .whole,
    isFramed: Bool = true, isSettled: Bool = true, body: String = "1"
  ) -> ListingAssembly.Action {
    var page = page(keys, claim: claim)
    if !isSettled {
      page.entries = page.entries.map {
        if case .entry(let entry, _) = $0 { .entry(entry, settled: false) } else { $0 }
      }
    }
    page.next = next.map { CatalogRequest(Self.root + $0) }
    page.subdirectories = directories.map {
      .init(url: Self.root + path + $0 + "/", name: Array($0.utf8))
    }
    page.header.count = count
    page.header.revision = revision.map(CatalogRevision.opaque)
    return assembly.fetched(
      Self.root + path, page: page, digest: Golden.hash(body), isFramed: isFramed)
  }

  mutating func notModified(_ path: String) -> ListingAssembly.Action {
    assembly.notModified(Self.root + path)
  }

  mutating func unfetched(_ path: String) -> ListingAssembly.Action {
    assembly.unfetched(Self.root + path, reason: "503")
  }

  func listing(_ action: ListingAssembly.Action) throws -> Listing {
    switch action {
    case .finish(let listing): return listing
    case .fail(let error): throw error
    case .fetch(let requests): throw Golden.Unfinished(requests: requests)
    }
  }
}
