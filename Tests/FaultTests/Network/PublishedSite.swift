import Foundation
import SyncText
import TestSupport

/// A list in a form that others publish, and its files, as an honest server has them.
struct PublishedSite: Sendable {
  /// An answer.
  struct Page: Sendable {
    var text: String
    var type: String
    var status = 200
  }

  var name: String
  /// Where the list is, and the options by which it speaks for all that the folder holds.
  var path: String
  var options: [String] = []
  /// The pages by their paths.
  var pages: [String: Page]
  /// What the pages are when one of them is spoiled, where they aren't the same.
  var renewed: [String: Page] = [:]
  /// The page that is spoiled; the list by default.
  var spoiled: String
  /// Whether a list that was cut between two lines can't be told from a shorter one: it removes
  /// nothing then.
  var isOfLines = false

  /// A list of one page.
  init(
    _ name: String, _ path: String, _ options: [String] = [], type: String, status: Int = 200,
    _ text: String
  ) {
    (self.name, self.path, self.options, spoiled) = (name, path, options, path)
    pages = [path: Page(text: text, type: type, status: status)]
  }

  /// The bytes of every file.
  static let bytes = "the bytes of a file"
  static var size: Int { bytes.utf8.count }
  static var digest: String { HonestSite.digest(of: Array(bytes.utf8)) }

  /// What an honest server answers, or one that answers for the spoiled page in its own way.
  func script(_ answer: FaultAnswer? = nil) -> FaultServer.Script {
    { request, _ in
      let path = String(request.path.prefix { $0 != "?" })
      if path == spoiled, let answer { return answer }
      let page = answer == nil ? pages[path] : renewed[path] ?? pages[path]
      if let page {
        return FaultAnswer(
          text: page.text, status: page.status, headers: [("Content-Type", page.type)])
      }
      guard path.contains("/files/") else { return FaultAnswer(status: 404) }
      return .honest(Array(Self.bytes.utf8), to: request, etag: "\"1\"")
    }
  }

  /// The page that is spoiled.
  var page: Page { renewed[spoiled] ?? pages[spoiled] ?? Page(text: "", type: "") }
}

extension PublishedSite {
  /// One of each form.
  static var all: [PublishedSite] { buckets + json + feeds + documents + lines }

  private static var buckets: [PublishedSite] {
    let members = ["a", "b"].map { name in
      """
      <response><href>/dav/files/\(name)</href><propstat><prop><resourcetype/><getcontentlength>\
      \(size)</getcontentlength><getetag>"\(name)"</getetag></prop><status>HTTP/1.1 200 OK</status>\
      </propstat></response>
      """
    }
    return [
      PublishedSite(
        "S3", "/files/", ["--format", "s3"], type: "application/xml",
        """
        <?xml version="1.0"?><ListBucketResult><KeyCount>2</KeyCount><IsTruncated>false\
        </IsTruncated><Contents><Key>a</Key><ETag>"1"</ETag><Size>\(size)</Size></Contents>\
        <Contents><Key>d/b</Key><ETag>"2"</ETag><Size>\(size)</Size></Contents></ListBucketResult>
        """),
      PublishedSite(
        "WebDAV", "/dav/files/", ["--format", "webdav"], type: "application/xml", status: 207,
        """
        <?xml version="1.0"?><multistatus xmlns="DAV:"><response><href>/dav/files/</href><propstat>\
        <prop><resourcetype><collection/></resourcetype></prop><status>HTTP/1.1 200 OK</status>\
        </propstat></response>\(members.joined())</multistatus>
        """),
    ]
  }

  private static var json: [PublishedSite] {
    let assets = ["a", "b"].map { name in
      #"{"name":"\#(name)","browser_download_url":"/files/\#(name)","size":\#(size),"#
        + #""digest":"sha256:\#(digest)","updated_at":"2026-01-01T00:00:00Z"}"#
    }
    let files = ["a-1.zip", "b-1.zip"].map { name in
      #"{"filename":"\#(name)","url":"/files/\#(name)","hashes":{"sha256":"\#(digest)"}}"#
    }
    return [
      PublishedSite(
        "JSON by a mapping", "/list.json",
        ["--map", "items=assets,key=name,url=browser_download_url,size=size", "--complete"],
        type: "application/json", #"{"assets":[\#(assets.joined(separator: ","))]}"#),
      PublishedSite(
        "GitHub's releases", "/repos/o/n/releases", ["--format", "github-releases", "--complete"],
        type: "application/json",
        #"[{"tag_name":"v1","assets":[\#(assets.joined(separator: ","))]}]"#),
      PublishedSite(
        "a package index in JSON", "/simple/a/", type: "application/vnd.pypi.simple.v1+json",
        #"{"meta":{"api-version":"1.0"},"name":"a","files":[\#(files.joined(separator: ","))]}"#),
      PublishedSite(
        "a package index in HTML", "/simple/b/", type: "text/html",
        """
        <!DOCTYPE html><html><head><meta name="pypi:repository-version" content="1.0">\
        <title>Links for b</title></head><body>\
        <a href="/files/a-1.zip#sha256=\(digest)">a-1.zip</a>\
        <a href="/files/b-1.zip#sha256=\(digest)">b-1.zip</a></body></html>
        """),
    ]
  }

  private static var feeds: [PublishedSite] {
    let atom = "xmlns='http://www.w3.org/2005/Atom'"
    let history = "xmlns:fh='http://purl.org/syndication/history/1.0'"
    let date = "<updated>2026-01-01T00:00:00Z</updated>"
    func entries(_ relation: String, _ type: String) -> String {
      ["a", "b"].map { name in
        "<entry><id>\(name)</id>\(date)<link rel='\(relation)' type='\(type)' "
          + "href='/files/\(name)' length='\(size)'/></entry>"
      }.joined()
    }
    let items = ["a", "b"].map { name in
      "<item><guid>\(name)</guid><pubDate>Thu, 01 Jan 2026 00:00:00 GMT</pubDate>"
        + "<enclosure url='/files/\(name)' type='audio/mpeg' length='\(size)'/></item>"
    }
    return [
      PublishedSite(
        "RSS", "/feed.rss", type: "application/rss+xml",
        "<rss version='2.0' \(history)><channel><fh:complete/>\(items.joined())</channel></rss>"),
      PublishedSite(
        "Atom", "/feed.atom", type: "application/atom+xml",
        "<feed \(atom) \(history)><fh:complete/>\(entries("enclosure", "audio/mpeg"))</feed>"),
      PublishedSite(
        "OPDS", "/books.xml", type: "application/atom+xml",
        "<feed \(atom)>"
          + entries("http://opds-spec.org/acquisition", "application/epub+zip") + "</feed>"),
    ]
  }

  private static var documents: [PublishedSite] {
    let map = "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'"
    let terms = "xmlns:rs='http://www.openarchives.org/rs/terms/'"
    func places(_ facts: String) -> String {
      ["a", "b"].map {
        "<url><loc>/files/\($0)</loc><lastmod>2026-01-01T00:00:00Z</lastmod>\(facts)</url>"
      }.joined()
    }
    let files = ["a", "b"].map {
      "<file name='\($0)'><size>\(size)</size><hash type='sha-256'>\(digest)</hash>"
        + "<url>/files/\($0)</url></file>"
    }
    return [
      PublishedSite(
        "a sitemap", "/map.xml", ["--complete"], type: "application/xml",
        "<urlset \(map)>\(places(""))</urlset>"),
      PublishedSite(
        "ResourceSync", "/resources.xml", type: "application/xml",
        "<urlset \(map) \(terms)><rs:md capability='resourcelist' at='2026-01-03T00:00:00Z'/>"
          + places("<rs:md hash='sha-256:\(digest)' length='\(size)'/>") + "</urlset>"),
      PublishedSite(
        "Metalink", "/files.meta4", ["--complete"], type: "application/metalink4+xml",
        "<metalink xmlns='urn:ietf:params:xml:ns:metalink'>\(files.joined())</metalink>"),
    ]
  }

  private static var lines: [PublishedSite] {
    let sums = ["a", "d/b"].map { "\(digest)  \($0)\n" }.joined()
    var digests = PublishedSite("checksums", "/files/SHA256SUMS", type: "text/plain", sums)
    digests.isOfLines = true
    var packages = debian(["a", "b"])
    packages.name += "'s packages"
    packages.spoiled = "/dists/stable/main/binary-all/Packages"
    // A list that is named by the digest that it had last time isn't asked for again.
    packages.renewed = debian(["a", "b", "c"]).pages
    return [digests, debian(["a", "b"]), packages]
  }

  private static func debian(_ packages: [String]) -> PublishedSite {
    let stanzas = packages.map { name in
      """
      Package: \(name)
      Filename: pool/files/\(name).deb
      Size: \(size)
      SHA256: \(digest)

      """
    }
    let list = stanzas.joined(separator: "\n")
    let row = "\(list.utf8.count) main/binary-all/Packages\n"
    let md5 = String(repeating: "0", count: 32)
    let release = """
      Suite: stable
      MD5Sum:
       \(md5) \(row)SHA256:
       \(HonestSite.digest(of: Array(list.utf8))) \(row)
      """
    var site = PublishedSite(
      "a Debian repository", "/dists/stable/Release", type: "text/plain", release)
    site.pages["/dists/stable/main/binary-all/Packages"] = Page(text: list, type: "text/plain")
    return site
  }
}
