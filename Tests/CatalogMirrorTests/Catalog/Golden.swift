import CatalogMirror
import XCTest
@testable import SyncText

/// Catalogs in every form, and what it takes to read them.
enum Golden {
  static let digest = String(repeating: "ab", count: 32)

  static let entryLines = [
    #"{"key":"a.txt","size":5,"sha256":"\#(digest)","modified":"2026-11-20T21:47:24Z"}"#,
    #"{"key":"b/ü ?.txt","version":"7","order":-1,"title":"B","tags":["x",1.50]}"#,
    #"{"key":"c","url":["ftp://no/c","https://cdn/c?x=1"],"preview":{"url":"p/c.webp","size":3}}"#,
  ]

  static let ndjson =
    #"{"catalog":1,"title":"T","revision":"r1","count":3,"complete":true}"# + "\n"
    + entryLines.map { $0 + "\n" }.joined()

  static let object =
    #"{"catalog":1,"title":"T","revision":"r1","count":3,"complete":true,"items":["#
    + entryLines.joined(separator: ",\n ") + "]}\n"

  static let array = "[" + entryLines.joined(separator: ",\n ") + "]\n"

  /// Written by nginx 1.22.1 for real names, less some rows.
  static let nginxHTML = """
    <html>\r
    <head><title>Index of /data/</title></head>\r
    <body>\r
    <h1>Index of /data/</h1><hr><pre><a href="../">../</a>\r
    <a href="dir%20space/">dir space/</a>                                         20-Nov-2026 21:47                   -\r
    <a href="%26amp%3Blit">&amp;amp;lit</a>                                           20-Nov-2026 21:47                1234\r
    <a href="50%25">50%</a>                                                20-Nov-2026 21:47                1234\r
    <a href="%3Clt%3E">&lt;lt&gt;</a>                                               20-Nov-2026 21:47                1234\r
    <a href="LLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL">LLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL..&gt;</a> 20-Nov-2026 21:47                1234\r
    <a href="co%3Alon">co:lon</a>                                             20-Nov-2026 21:47                1234\r
    <a href="huge">huge</a>                                               20-Nov-2026 21:47       5000000000000\r
    <a href="mid">mid</a>                                                03-Feb-2031 04:05             1234567\r
    <a href="new%0Aline">new
    line</a>                                           20-Nov-2026 21:47                1234\r
    <a href="utf-%C3%A9%E2%82%AC">utf-é€</a>                                          20-Nov-2026 21:47                1234\r
    <a href="what%3F">what?</a>                                              20-Nov-2026 21:47                1234\r
    </pre><hr></body>\r
    </html>\r

    """

  /// Likewise.
  static let nginxJSON = """
    [\r
    { "name":"dir space", "type":"directory", "mtime":"Fri, 20 Nov 2026 21:47:24 GMT" },\r
    { "name":"back\\\\slash", "type":"file", "mtime":"Fri, 20 Nov 2026 21:47:24 GMT", "size":1234 },\r
    { "name":"co:lon?#", "type":"file", "mtime":"Fri, 20 Nov 2026 21:47:24 GMT", "size":1234 },\r
    { "name":"dangling", "type":"other", "mtime":"Fri, 20 Nov 2026 21:47:24 GMT" },\r
    { "name":"esc\\u001B[31m", "type":"file", "mtime":"Fri, 20 Nov 2026 21:47:24 GMT", "size":1234 },\r
    { "name":"mid", "type":"file", "mtime":"Mon, 03 Feb 2031 04:05:06 GMT", "size":1234567 }\r
    ]
    """

  static let sums = """
    \(digest)  a.txt
    \(digest) *./b c.bin
    \\\(digest)  new\\nline\\\\
    SHA256 (tagged (1).txt) = \(digest)

    """

  static let signedSums = """
    -----BEGIN PGP SIGNED MESSAGE-----
    Hash: SHA512

    # signed
    \(digest)  a.txt
    \(digest)  b.txt
    -----BEGIN PGP SIGNATURE-----

    iQIzBAEBCgAdFiEEn3p5
    =abcd
    -----END PGP SIGNATURE-----

    """

  static let mixedSums = """
    ; by several programs
    MD5 (a.txt) = \(String(repeating: "5a", count: 16))

    \(String(repeating: "1b", count: 20)) *b.txt
    SHA512 (c.txt) = \(String(repeating: "6c", count: 64))
    """

  static let metalink = """
    <?xml version="1.0" encoding="UTF-8"?>
    <metalink xmlns="urn:ietf:params:xml:ns:metalink">
      <published>2026-05-15T12:23:23Z</published>
      <file name="a/example.iso">
        <size>14471447</size>
        <identity>Example &amp; Co</identity>
        <hash type="sha-256">\(digest)</hash>
        <hash type="md5">\(String(repeating: "5a", count: 16))</hash>
        <hash type="whirlpool">00</hash>
        <pieces length="262144" type="sha-1"><hash>00</hash></pieces>
        <metaurl mediatype="torrent" priority="1">https://h/example.torrent</metaurl>
        <url>x</url>
        <url location="de" priority="2">http://one.example/example.iso</url>
        <url location="us" priority="1">
          https://two.example/example.iso
        </url>
        <url priority="1">ftp://three.example/example.iso</url>
      </file>
      <file name="b"><size>7</size><url>https://h/b</url></file>
    </metalink>

    """

  static let listedAt = 1_795_300_000.0

  static func url(_ text: String) throws -> URLReference {
    try XCTUnwrap(URLReference(text))
  }

  static func body(
    _ text: String, _ url: String = "https://h/data/", mediaType: String? = nil
  ) throws -> CatalogBody {
    try body(Array(text.utf8), url, mediaType: mediaType)
  }

  static func body(
    _ bytes: [UInt8], _ url: String = "https://h/data/", mediaType: String? = nil
  ) throws -> CatalogBody {
    CatalogBody(url: try self.url(url), mediaType: mediaType, date: listedAt, bytes: bytes)
  }

  static func page(_ text: String, as format: CatalogFormatName? = nil) throws -> CatalogPage {
    try CatalogFormats.standard.decode(body(text), as: format)
  }

  static func hash(_ text: String) -> SHA256Digest {
    var hasher = SHA256Hasher()
    Array(text.utf8).withUnsafeBytes { hasher.update($0) }
    return hasher.finish()
  }

  /// The listing of a catalog of one page.
  static func listing(
    _ body: CatalogBody, as format: CatalogFormatName? = nil, isFramed: Bool = true,
    _ configure: (inout ListingAssembly.Options) -> Void = { _ in }
  ) throws -> Listing {
    var options = ListingAssembly.Options()
    configure(&options)
    options.format = format
    var assembly = ListingAssembly(root: body.url, options: options)
    _ = assembly.begin()
    let page = try CatalogFormats.standard.decode(body, as: format)
    let digest = hash(String(decoding: body.bytes, as: UTF8.self))
    switch assembly.fetched(body.url.text, page: page, digest: digest, isFramed: isFramed) {
    case .finish(let listing): return listing
    case .fail(let error): throw error
    case .fetch(let requests): throw Unfinished(requests: requests)
    }
  }

  struct Unfinished: Error {
    var requests: [PageRequest]
  }
}

extension CatalogPage {
  /// The entries that can be used, by their key as text.
  var usable: [String: CatalogEntry] {
    var usable: [String: CatalogEntry] = [:]
    for case .entry(let entry, _) in entries {
      usable[String(decoding: entry.key.bytes, as: UTF8.self)] = entry
    }
    return usable
  }

  /// What can't be used.
  var unusable: [UnusableEntry] {
    entries.compactMap { if case .unusable(let unusable) = $0 { unusable } else { nil } }
  }
}

extension CatalogPage {
  /// The page without what only the entries of NDJSON have.
  var withoutLines: CatalogPage {
    var page = self
    page.entries = entries.map { listed in
      guard case .entry(var entry, let isSettled) = listed else { return listed }
      entry.line = nil
      return .entry(entry, settled: isSettled)
    }
    return page
  }
}
