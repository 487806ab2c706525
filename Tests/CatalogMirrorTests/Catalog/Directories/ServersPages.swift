import CatalogMirror
import Foundation
import TestSupport

/// Pages of one directory as real servers wrote them; they are inputs of the fuzzer, too.
enum ServersPages {
  /// Those that tell all of the directory, by the format that reads them.
  static let whole: [(format: CatalogFormatName, path: String)] = [
    (.apache, "apache/plain"), (.apache, "apache/fancy"), (.apache, "apache/fancy-wide"),
    (.apache, "apache/fancy-xhtml"), (.apache, "apache/icons-are-links"),
    (.apache, "apache/fewer-columns"), (.apache, "apache/table"), (.apache, "apache/table-xhtml"),
    (.apache, "apache/table-between"), (.python, "python/plain"), (.lighttpd, "lighttpd/plain"),
    (.caddyHTML, "caddy-html/plain"), (.caddyJSON, "caddy-json/plain"),
    (.nginxXML, "nginx-xml/plain"), (.nginxFancyIndex, "nginx-fancyindex/plain"),
    (.nginxFancyIndex, "nginx-fancyindex/rounded"), (.nginxHTML, "nginx-html/between"),
  ]

  /// The files that stand on every page.
  static let names: Set<String> = [
    "&amp;lit", "50%", "<lt>", String(repeating: "L", count: 56), "co:lon", "huge", "mid",
    "new\nline", "small", "utf-é€", "what?",
  ]

  /// The links that some servers list beside them.
  static let links: Set<String> = ["dangling", "link"]

  static func bytes(_ path: String) throws -> [UInt8] {
    let file = Programs.package.appending(path: "Tests/Fuzzing/Corpus/\(path)")
    return Array(try Data(contentsOf: file))
  }

  static func text(_ path: String) throws -> String {
    String(decoding: try bytes(path), as: UTF8.self)
  }

  static func page(_ path: String) throws -> CatalogPage {
    try CatalogFormats.standard.decode(Golden.body(bytes(path)))
  }
}
