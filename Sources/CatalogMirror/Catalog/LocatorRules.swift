package import SyncText

/// Which URLs a catalog may name: http and https, and file only from a catalog that is a file
/// itself and only beneath its folder.
package struct LocatorRules: Sendable {
  private let catalog: URLReference

  package init(catalog: URLReference) {
    self.catalog = catalog
  }

  /// Why an absolute URL of an item or of a next page isn't followed; `nil` for one that is.
  package func problem(with url: URLReference) -> LocatorProblem? {
    guard let scheme = url.scheme else { return .notAURL }
    guard !url.hasUserInfo else { return .userInfo }
    // Written out, such a path would begin with a host (RFC 3986, section 3.3).
    guard url.authority != nil || !url.path.hasPrefix("//") else { return .notAURL }
    switch scheme {
    case "http", "https": return url.authority?.isEmpty ?? true ? .notAURL : nil
    case "file":
      return catalog.scheme == "file" && isBeneathCatalog(url) ? nil : .fileOutsideCatalog
    default: return .scheme(scheme)
    }
  }

  /// The same for the URL of a next page, which also may not leave https.
  package func problem(withNext url: URLReference) -> LocatorProblem? {
    let leavesHTTPS = catalog.scheme == "https" && url.scheme != "https"
    return problem(with: url) ?? (leavesHTTPS ? .leavesHTTPS : nil)
  }

  private func isBeneathCatalog(_ url: URLReference) -> Bool {
    let slash = UInt8(ascii: "/")
    guard url.authority ?? "" == catalog.authority ?? "",
      let path = PercentEncoding.decode(url.path), let own = PercentEncoding.decode(catalog.path),
      let end = own.lastIndex(of: slash)
    else { return false }
    let folder = own[...end]
    let steps = path.split(separator: slash)
    return path.starts(with: folder) && path.count > folder.count && !path.contains(0)
      && !steps.contains { $0.elementsEqual("..".utf8) }
  }
}

/// Why a URL in a catalog isn't followed.
public enum LocatorProblem: Hashable, Sendable, CustomStringConvertible {
  /// It can't be read as a URL.
  case notAURL
  /// Its scheme is this, and not http or https.
  case scheme(String)
  /// It is a file URL in a catalog that isn't a file, or leads out of the catalog's folder.
  case fileOutsideCatalog
  /// It carries a user name or a password.
  case userInfo
  /// It is http, and the catalog came over https.
  case leavesHTTPS

  /// What is wrong, as the end of a sentence that began with the field.
  public var description: String {
    switch self {
    case .notAURL: "isn't a URL; percent-encode what isn't a letter, a digit or one of -._~"
    case .scheme(let scheme):
      "has the scheme '\(CatalogKey.escape(scheme.utf8))'; only http and https are followed"
    case .fileOutsideCatalog:
      "is a file URL outside the folder of a catalog that is itself a file"
    case .userInfo:
      "carries a user name or password; give credentials to the mirror, not to the catalog"
    case .leavesHTTPS: "leaves https for http"
    }
  }
}
