import CatalogMirror
import SyncText

/// What a Debian repository's `Release` names and is read: the input is a list of packages, or of
/// what has changed in one. That it is whole, its digest tells.
enum PackagesTarget {
  static func check(_ bytes: [UInt8]) throws {
    let root = "https://catalog.test/a/"
    for step in ["packages \(root)", "differences dists/s/Packages.diff/ \(root)"] {
      try check(bytes, step)
    }
  }

  private static func check(_ bytes: [UInt8], _ step: String) throws {
    var request = CatalogRequest("https://catalog.test/a/dists/s/main/binary-all/Packages")
    request.step = step
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
