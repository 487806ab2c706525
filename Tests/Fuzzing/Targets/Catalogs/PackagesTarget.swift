import CatalogMirror
import SyncText

/// A Debian repository's list of packages: the input is the list. That it is whole, its digest
/// tells.
enum PackagesTarget {
  static func check(_ bytes: [UInt8]) throws {
    var request = CatalogRequest("https://catalog.test/a/dists/s/main/binary-all/Packages")
    request.step = "packages https://catalog.test/a/"
    request.sha256 = SHA256Digest(of: bytes)
    guard let url = URLReference(request.url) else { throw Violation("no URL") }
    let body = CatalogBody(url: url, request: request, bytes: bytes)
    let page: CatalogPage
    do throws(CatalogError) {
      page = try CatalogFormats.standard.decode(body, as: .debian, limits: DecoderTarget.limits)
    } catch {
      return try requirePrintable("\(error)", "an error of the list")
    }
    try require(page.count <= DecoderTarget.limits.entries, "\(page.count) packages")
    for listed in page.entries {
      switch listed {
      case .entry(let entry, _):
        try require(
          entry.locators.allSatisfy { $0.hasPrefix("https://catalog.test/") },
          "a package from elsewhere: \(entry.locators)")
      case .unusable(let entry): try requirePrintable("\(entry)", "the sentence of an entry")
      }
    }
  }
}
