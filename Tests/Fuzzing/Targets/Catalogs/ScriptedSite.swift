import CatalogMirror
import SyncText

/// A site as an input writes it: each page begins with a line `@ reference word…`, and its body
/// follows. The first page is the catalog; a reference is seen from there.
///
/// Words: `unframed`, nothing vouches for the body's end; `revalidates`, it answers 304 where it
/// can; `html` and `json`, its media type. A page that isn't there can't be fetched.
struct ScriptedSite {
  struct Page {
    var body: [UInt8]
    var isFramed: Bool
    var revalidates: Bool
    var mediaType: String?
  }

  let root: URLReference
  private(set) var pages: [String: Page] = [:]

  init?(_ input: [UInt8]) {
    guard let root = URLReference("https://catalog.test/a/") else { return nil }
    self.root = root
    var place = root.text
    for line in input.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.starts(with: "@ ".utf8) {
        let words = line.dropFirst(2).text.split(separator: " ").map(String.init)
        guard let first = words.first, let reference = URLReference(first) else { return nil }
        place = pages.isEmpty ? root.text : reference.resolved(against: root).text
        pages[place] = Page(
          body: [], isFramed: !words.contains("unframed"),
          revalidates: words.contains("revalidates"),
          mediaType: words.contains("html")
            ? "text/html" : words.contains("json") ? "application/json" : nil)
      } else {
        pages[place]?.body += line + [0x0A]
      }
    }
    if pages.isEmpty { return nil }
  }

  func without(_ url: String) -> ScriptedSite {
    var copy = self
    copy.pages[url] = nil
    return copy
  }

  func changing(_ url: String) -> ScriptedSite {
    var copy = self
    copy.pages[url]?.body.append(0x0A)
    return copy
  }

  /// Fetches everything, as the mirror does.
  func walk(
    recorded: RecordedListing? = nil, lastFirst: Bool = false
  ) throws -> ListingAssembly.Action {
    var options = ListingAssembly.Options()
    options.limits = DecoderTarget.limits
    var assembly = ListingAssembly(root: root, options: options, recorded: recorded)
    var waiting: [PageRequest] = []
    var action = assembly.begin()
    for _ in 0..<4 * options.limits.pages {
      guard case .fetch(let more) = action else { return action }
      waiting += more
      guard !waiting.isEmpty else { throw Violation("a listing waits for nothing") }
      let request = lastFirst ? waiting.removeLast() : waiting.removeFirst()
      action = answer(request, to: &assembly, recorded)
    }
    throw Violation("a listing of \(pages.count) pages doesn't come to an end")
  }

  private func answer(
    _ request: PageRequest, to assembly: inout ListingAssembly, _ recorded: RecordedListing?
  ) -> ListingAssembly.Action {
    guard let page = pages[request.id], let url = URLReference(request.id) else {
      return assembly.unfetched(request.id, reason: "it isn't there")
    }
    var hasher = SHA256Hasher()
    page.body.withUnsafeBytes { hasher.update($0) }
    let digest = hasher.finish()
    let old = recorded?.pages.first { $0.url == request.id }
    if request.isConditional, page.revalidates, old?.digest == digest.description {
      return assembly.notModified(request.id)
    }
    let body = CatalogBody(
      url: url, mediaType: page.mediaType, date: 1_795_000_000, bytes: page.body)
    do throws(CatalogError) {
      let read = try CatalogFormats.standard.decode(
        body, as: assembly.format, limits: DecoderTarget.limits)
      return assembly.fetched(request.id, page: read, digest: digest, isFramed: page.isFramed)
    } catch {
      return assembly.unreadable(request.id, error)
    }
  }
}
