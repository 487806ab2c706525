import Foundation
import TestSupport
import XCTest

/// Whatever is asked for wrongly, or can't be: one sentence, the right status, nothing half-made.
final class BadInputTests: MirrorTestCase {
  private func run(_ arguments: [String]) throws -> ProgramOutcome {
    try start(arguments).outcome(within: .seconds(60))
  }

  func testAReaderThatGoesAwayDoesntEndTheRun() throws {
    try publish(["a.txt": "a"])
    let server = try serve(listing: .html)
    let script =
      "\(Programs.mirror) sync \(server.url) copy --json | true; exit ${PIPESTATUS[0]}"
    let child = try start(["-c", script], program: "/bin/bash")
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0))
    try assertCopyIsTrue()
  }

  func testACatalogElsewhereNeedsToBeToldWhereItsFilesAre() throws {
    try publish(["a.txt": "a"])
    try makeFolder(at: base.appending(path: "elsewhere"))
    let beside = ["publish", "source", "--output", "elsewhere/all.ndjson"]
    assertRefused(try run(beside), 64, saying: "--base", "neither above nor below")
    assertEnd(try run(beside + ["--base", "https://h/x/"]), 0)
    let above = try mirror("publish", "source", "--output", "./all.ndjson")
    assertEnd(above, 0)
    XCTAssertTrue(above.printed.contains("the files at ./source/, seen from the"), above.printed)
    for output in ["source/all.ndjson", "some.ndjson"] {
      assertEnd(try mirror("publish", "source", "--output", output), 0)
    }
    for path in ["elsewhere/all.ndjson", "all.ndjson", "source/all.ndjson", "source/some.ndjson"] {
      XCTAssertTrue(isThere(base.path + "/" + path), path)
    }
  }

  /// Another run can't do better: it was said that it might.
  func testEntriesThatCannotBeUsedAreNotSaidToNeedAnotherRun() throws {
    try publish(["a.txt": "a"])
    let lines = [#"{"catalog":1,"complete":true}"#, #"{"key":"a.txt"}"#, #"{"key":"../b"}"#]
    func serving(_ lines: [String]) throws -> ProgramOutcome {
      try Data((lines.joined(separator: "\n") + "\n").utf8)
        .write(to: source.appending(path: "catalog.ndjson"))
      let catalog = "file://\(source.path)/catalog.ndjson"
      return try mirror("sync", catalog, copy.path)
    }
    let outcome = try serving(lines)
    assertEnd(outcome, 2)
    XCTAssertTrue(
      outcome.said.hasSuffix(
        "mirror: 1 entry can't be used as listed, and no run can do better until that is mended; "
          + "what is held of it stays.\n"), outcome.said)
    XCTAssertEqual(outcome.said.components(separatedBy: "../b").count, 2, outcome.said)
    let both = try serving(lines + [#"{"key":"missing"}"#])
    XCTAssertTrue(
      both.said.contains("the source refuses 1 item and 1 entry can't be used"), both.said)
    XCTAssertFalse(both.said.contains("run it again"), both.said)
  }

  func testAFolderIsNoCatalogAndSaysSo() throws {
    try publish(["a.txt": "a"])
    for url in ["file://\(source.path)/", "file://\(source.path)"] {
      assertRefused(
        try mirror("sync", url, copy.path), 1, saying: "it is a folder", "publish a catalog of it")
    }
  }

  func testAnotherFormatThanTheOneNamedIsRecognised() throws {
    try publish(["a.txt": "a"])
    let server = try serve(listing: .html)
    assertRefused(
      try mirror("sync", server.url, copy.path, "--format", "nginx-json"), 1,
      saying: "nginx's directory listing in HTML", "'nginx-html'",
      "(--format; 'mirror doctor' says what is there)")
    assertRefused(
      try mirror("sync", server.url + "a.txt", copy.path), 1,
      saying: "name its format (--format; 'mirror doctor' says what is there)")
  }

  func testPreviewsThatAreNotThereAreAnErrorAndNoCatalog() throws {
    try publish(["a.txt": "a"])
    for previews in ["nowhere", "a.txt", "../source"] {
      assertRefused(
        try mirror("publish", source.path, "--previews", previews), 64, saying: "--previews",
        previews)
    }
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: source.path), ["a.txt"])
  }

  func testACarelessRunSaysSoEachTimeAndLoudly() throws {
    try publish(["a.txt": "a"])
    let server = try serve(
      nil, NginxServer.Options(listing: .html, certificate: try Certificate(in: base)))
    for options in [["--insecure"], ["--insecure", "--quiet"]] {
      let outcome = try run(["sync", server.url, copy.path] + options)
      assertEnd(outcome, 0)
      XCTAssertTrue(outcome.said.hasPrefix("mirror: WARNING: "), outcome.said)
    }
    assertRefused(
      try mirror("sync", server.url, copy.path), 1, saying: "a certificate was not accepted")
  }

  func testAnUnknownOptionIsAUsageError() throws {
    assertRefused(
      try mirror("sync", "http://127.0.0.1/", copy.path, "--fast"), 64, saying: "--fast", "--help")
    assertRefused(
      try mirror("sync", "http://127.0.0.1/", copy.path, "--jsn"), 64,
      saying: "did you mean '--json'?", "mirror sync --help")
    assertRefused(
      try mirror("publish", source.path, "--previews-only"), 64, saying: "--previews-only")
    assertNothingMade()
  }

  func testAMissingArgumentIsAUsageError() throws {
    assertRefused(try mirror(), 64, saying: "mirror sync")
    assertRefused(try mirror("sync"), 64, saying: "CATALOG")
    assertRefused(try mirror("sync", "http://127.0.0.1/"), 64, saying: "FOLDER")
    assertRefused(try mirror("sync", "http://127.0.0.1/", copy.path, "--retries"), 64, saying: "N")
    assertRefused(try mirror("status"), 64, saying: "FOLDER")
    assertRefused(try mirror("publish"), 64, saying: "DIR")
    assertRefused(try mirror("copy", "a", "b"), 64, saying: "copy", "sync")
    assertRefused(try mirror("plan", "http://127.0.0.1/", copy.path, "more"), 64, saying: "more")
    assertNothingMade()
  }

  func testAValueThatWontDoIsAUsageError() throws {
    for (option, value) in [
      ("--retries", "many"), ("--max-delete", "half"), ("--durability", "maybe"),
      ("--limit-rate", "0"), ("--keep-removed", "long"), ("--format", "telex"),
    ] {
      assertRefused(
        try mirror("sync", "http://127.0.0.1/", copy.path, option, value), 64, saying: option, value
      )
    }
    assertNothingMade()
  }

  func testACatalogThatIsNoURLIsAnError() throws {
    for catalog in ["gallery", "ftp://127.0.0.1/", "http://", ""] {
      let outcome = try sync(catalog)
      XCTAssertTrue([.exited(1), .exited(64)].contains(outcome.end), "\(outcome)")
      XCTAssertEqual(outcome.said.split(separator: "\n").count, 1, outcome.said)
    }
    assertNothingMade()
  }

  func testACatalogThatIsntThereIsAFailure() throws {
    let server = try serve()
    assertRefused(
      try sync(server.url + "catalog.ndjson"), 1, saying: server.url + "catalog.ndjson", "404")
    assertNothingMade()
    assertRefused(try sync("file://\(source.path)/none.ndjson"), 1, saying: "none.ndjson")
    assertNothingMade()
  }

  func testAHostThatDoesntResolveIsAFailure() throws {
    assertRefused(
      try sync("http://nowhere.invalid/pub/", ["--retries", "0"]), 1, saying: "nowhere.invalid")
    assertNothingMade()
  }

  func testARefusedConnectionIsAFailure() throws {
    let listener = try LoopbackListener()
    listener.close()
    assertRefused(
      try sync("http://127.0.0.1:\(listener.port)/", ["--retries", "0"]), 1,
      saying: "127.0.0.1:\(listener.port)")
    assertNothingMade()
  }

  func testACertificateThatNobodyVouchesForIsAFailureUntilItIsTrusted() throws {
    try publish(["a.txt": "a"])
    let certificate = try Certificate(in: base)
    let server = try serve(
      nil, NginxServer.Options(listing: .html, certificate: certificate))
    assertRefused(try sync(server.url), 1, saying: "certificate")
    assertNothingMade()
    assertEnd(try sync(server.url, ["--ca-file", certificate.file.path]), 0)
    try assertCopyIsTrue()
  }

  func testAFolderThatIsAFileIsAFailure() throws {
    try publish(["a.txt": "a"])
    let server = try serve(listing: .html)
    try Data("a file".utf8).write(to: copy)
    assertRefused(try sync(server.url), 1, saying: copy.path, "not a folder")
    assertRefused(try mirror("status", copy.path), 1, saying: copy.path)
    XCTAssertEqual(try Data(contentsOf: copy), Data("a file".utf8))
    XCTAssertEqual(try server.takeRequests(), [], "the folder is looked at first")
  }

  func testAFolderWithoutRightsIsAFailure() throws {
    try publish(["a.txt": "a"])
    let server = try serve(listing: .html)
    let files = FileManager.default
    try makeFolder(at: copy)
    try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: copy.path)
    assertRefused(try asNobody("sync", server.url, copy.path), 1, saying: copy.path, "rights")
    assertRefused(
      try asNobody("sync", server.url, copy.path + "/inner"), 1, saying: copy.path, "rights")
    XCTAssertEqual(try files.contentsOfDirectory(atPath: copy.path), [])
  }

  func testExistingRefusesAFolderThatIsNoMirror() throws {
    try publish(["a.txt": "a"])
    let server = try serve(listing: .html)
    assertRefused(try sync(server.url, ["--existing"]), 1, saying: copy.path)
    assertNothingMade()
    try makeFolder(at: copy)
    assertRefused(try sync(server.url, ["--existing"]), 1, saying: copy.path, "--existing")
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: copy.path), [])
  }

  func testStatusAndVerifyOfWhatIsNoMirrorAreFailures() throws {
    for command in ["status", "verify"] {
      assertRefused(try mirror(command, copy.path), 1, saying: copy.path)
      assertNothingMade()
      assertRefused(try mirror(command, source.path), 1, saying: source.path)
      XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: source.path), [])
    }
  }

  func testPublishingWhatIsNoFolderIsAFailure() throws {
    assertRefused(try mirror("publish", copy.path), 1, saying: copy.path)
    assertNothingMade()
  }

  private func assertNothingMade(file: StaticString = #filePath, line: UInt = #line) {
    XCTAssertFalse(
      isThere(copy), "the folder was made", file: file,
      line: line)
  }

  /// It failed for a lock that it may not make, and with another reason than the system's.
  func testWhoMayNotWriteBesideACatalogLearnsWhetherItIsUpToDate() throws {
    let site = base.appending(path: "site")
    try makeFolder(at: site)
    try Data("a".utf8).write(to: site.appending(path: "a"))
    assertEnd(try mirror("publish", site.path), 0)
    XCTAssertEqual(chmod(site.path, 0o555), 0)
    defer { chmod(site.path, 0o755) }
    let catalog = try Data(contentsOf: site.appending(path: "catalog.ndjson"))
    let same = try asNobody("publish", site.path)
    assertEnd(same, 0)
    XCTAssertTrue(same.printed.localizedCaseInsensitiveContains("unchanged"), "\(same)")

    let other = try asNobody("publish", site.path, "--title", "Another")
    assertEnd(other, 1)
    XCTAssertTrue(
      other.said.contains("could not write 'catalog.ndjson': Permission denied"), other.said)
    XCTAssertEqual(try Data(contentsOf: site.appending(path: "catalog.ndjson")), catalog)
  }

  /// Where the lock is another's who lets nobody read it, he may be writing at this moment.
  func testWhoMayNotLockWritesNoCatalogThoughHeCould() throws {
    guard geteuid() == 0 else { throw XCTSkip("only root can keep a file from others") }
    let site = base.appending(path: "site")
    try makeFolder(at: site)
    XCTAssertEqual(chmod(site.path, 0o777), 0)
    let lock = site.appending(path: ".catalog.ndjson.mirror-lock")
    try Data().write(to: lock)
    XCTAssertEqual(chmod(lock.path, 0o600), 0)
    assertEnd(try asNobody("publish", site.path), 1)
    XCTAssertFalse(
      isThere(site.appending(path: "catalog.ndjson")))
  }

  /// Runs `mirror` as a user without special rights: the tests' own, or nobody in place of root.
  private func asNobody(_ arguments: String...) throws -> ProgramOutcome {
    guard geteuid() == 0 else { return try run(try start(arguments)) }
    let program = base.appending(path: "mirror")
    if !isThere(program) {
      try FileManager.default.copyItem(atPath: Programs.mirror, toPath: program.path)
    }
    let rights = ["--reuid=65534", "--regid=65534", "--clear-groups", program.path]
    return try run(try start(rights + arguments, program: try Programs.find("setpriv")))
  }

  private func run(_ child: ChildProcess) throws -> ProgramOutcome {
    try child.outcome(within: .seconds(30))
  }
}
