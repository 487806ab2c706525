/// The name of a ``CatalogFormat``: lower-case letters, digits and hyphens.
public struct CatalogFormatName: RawRepresentable, Hashable, Sendable, Codable {
  /// The name itself.
  public let rawValue: String

  /// A name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The same.
  public init(_ name: String) {
    self.init(rawValue: name)
  }
}

extension CatalogFormatName: CustomStringConvertible {
  /// The name itself.
  public var description: String { rawValue }
}

extension CatalogFormatName {
  /// Our own format, in its three forms.
  package static let catalog = Self("catalog")
  /// A JSON object of key → URL or key → entry.
  package static let mapping = Self("mapping")
  /// What a person's ``JSONMapping`` reads.
  package static let mapped = Self("map")
  /// Any page with links to what is below it.
  package static let listing = Self("listing")
  package static let apache = Self("apache")
  package static let atom = Self("atom")
  package static let caddyHTML = Self("caddy-html")
  package static let caddyJSON = Self("caddy-json")
  package static let checksums = Self("checksums")
  package static let debian = Self("debian")
  package static let lighttpd = Self("lighttpd")
  package static let metalink = Self("metalink")
  package static let nginxFancyIndex = Self("nginx-fancyindex")
  package static let nginxHTML = Self("nginx-html")
  package static let nginxJSON = Self("nginx-json")
  package static let nginxXML = Self("nginx-xml")
  package static let opds = Self("opds")
  package static let python = Self("python")
  package static let resourceSync = Self("resourcesync")
  package static let rss = Self("rss")
  package static let s3 = Self("s3")
  package static let sha256sums = Self("sha256sums")
  package static let simpleIndex = Self("simple-index")
  package static let sitemap = Self("sitemap")
  package static let webdav = Self("webdav")
}
