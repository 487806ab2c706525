import Foundation
import TestSupport
import XCTest

/// F10: encryption that is asked for is kept to, with a CA and a certificate of one's own.
final class F10EncryptionTests: FaultTestCase {
  private let texts = ["a": "alpha", "b": "beta"]

  private func publishTexts() throws {
    try publish(texts)
    try publishCatalog()
  }

  func testF10_noRedirectLeavesHTTPS() async throws {
    try publishTexts()
    let plain = try serveFaults { _, _ in FaultAnswer(text: "alpha") }
    let certificate = try Certificate(in: base)
    let moved = ["location = /a { return 302 \(plain.url("/a")); }"]
    let server = try serve(nil, NginxServer.Options(certificate: certificate))
    let trust = ["--ca-file", certificate.file.path]
    assertEnd(try sync(server.url + "catalog.ndjson", trust), 0)
    let versions = try files(in: copy).mapValues { Set([$0]) }
    try publish(["a": "other"])
    try mirror("publish", source.path)
    try server.restart(NginxServer.Options(locations: moved, certificate: certificate))
    let outcome = try sync(server.url + "catalog.ndjson", trust)
    assertEnd(outcome, 2)
    assertSays(outcome, ["mirror: a: ", "the redirect can't be followed (from https to"], "item")
    try await assertNothingIsLost(of: versions, "after a redirect to http")

    let whole = "location = /catalog.ndjson { return 301 \(plain.url("/catalog.ndjson")); }"
    try server.restart(NginxServer.Options(locations: [whole], certificate: certificate))
    let refused = try sync(server.url + "catalog.ndjson", trust)
    assertRefused(refused, 1, saying: "from https to", server.url)
    let next = #"{"catalog":1,"next":"\#(plain.url("/page"))"}"#
    try Data((next + "\n").utf8).write(to: source.appending(path: "chain.ndjson"))
    try server.restart(NginxServer.Options(certificate: certificate))
    assertRefused(
      try sync(server.url + "chain.ndjson", trust + ["--new-catalog"]), 1,
      saying: "leaves https for http")
    XCTAssertEqual(plain.connectionCount, 0, "http was spoken")
    try await assertNothingIsLost(of: versions, "after a catalog that left https")
    try age(catalogIn: source)
    try assertCatalogConverges(server, trust)
    try Extent.record(
      "F10", "https → http for an item, the catalog and a next page", count: 3,
      "refused; no http was spoken")
  }

  private func assertCatalogConverges(_ server: NginxServer, _ options: [String]) throws {
    try FileManager.default.removeItem(at: source.appending(path: "chain.ndjson"))
    try assertConverges(
      server.url + "catalog.ndjson", options, on: server, publishing: "catalog.ndjson")
  }

  func testACertificateOfOnesOwnIsShownAndOnlyATrustedServerIsSpokenTo() async throws {
    try publishTexts()
    let certificate = try Certificate(in: base)
    let mine = base.appending(path: "mine")
    try makeFolder(at: mine)
    let client = try Certificate(in: mine)
    let asks = "ssl_client_certificate \(client.file.path); ssl_verify_client on;"
    let server = try serve(
      nil, NginxServer.Options(locations: [asks], certificate: certificate))
    let catalog = server.url + "catalog.ndjson"
    let trust = ["--ca-file", certificate.file.path]
    let shown = ["--cert", client.file.path, "--cert-key", client.key.path]

    assertRefused(try sync(catalog, shown), 1, saying: "a certificate was not accepted", "CA file")
    assertRefused(try sync(catalog, trust), 1, saying: "400")
    let stranger = ["--cert", certificate.file.path, "--cert-key", certificate.key.path]
    assertRefused(try sync(catalog, trust + stranger), 1, saying: "400")
    assertRefused(
      try sync(catalog, ["--ca-file", client.file.path] + shown), 1, saying: "CA file")
    let other = server.url.replacing("127.0.0.1", with: "localhost") + "catalog.ndjson"
    assertRefused(try sync(other, trust + shown), 1, saying: "a certificate was not accepted")
    let rubbish = base.appending(path: "rubbish.pem")
    try Data("rubbish".utf8).write(to: rubbish)
    assertRefused(try sync(catalog, ["--ca-file", rubbish.path]), 1, saying: "CA file")
    assertRefused(
      try sync(catalog, trust + ["--cert", rubbish.path]), 1, saying: "client certificate")
    assertRefused(
      try sync(catalog, trust + ["--cert", client.file.path, "--cert-key", certificate.key.path]),
      1,
      saying: "client certificate")
    for option in ["--ca-file", "--cert", "--netrc-file", "--token-file"] {
      assertRefused(try sync(catalog, [option, base.path + "/none"]), 64, saying: option, "none")
    }
    XCTAssertFalse(isThere(copy.path + "/a"))

    assertEnd(try sync(catalog, trust + shown), 0)
    try assertCopyIsTrue(except: ["catalog.ndjson"])
    try await assertNothingIsLost(of: try files(in: source).mapValues { Set([$0]) }, "certificates")
    try assertConverges(catalog, trust + shown, on: server, publishing: "catalog.ndjson")
    try Extent.record(
      "F11", "certificates that don't fit, ours and theirs", count: 8, "refused with a reason")
  }
}
