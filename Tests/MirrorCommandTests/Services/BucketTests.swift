import Foundation
import TestSupport
import XCTest

/// Buckets of a real S3 server, which refuses every request whose signature isn't botocore's for it.
final class BucketTests: MirrorTestCase {
  private static let key = "AKIDTEST"
  private static let secret = "s3cr3t/of+the=tests"
  private var service: LoopbackService?

  override func setUpWithError() throws {
    try super.setUpWithError()
    let moto = try CatalogServers.bucket(
      key: Self.key, secret: Self.secret, in: base.appending(path: "moto"))
    service = moto
    atEnd { try moto.stop() }
  }

  private var endpoint: String { service?.address ?? "" }

  /// Puts objects past S3; one without a text is removed.
  private func put(_ objects: [String: String?], in bucket: String = "bucket") throws {
    let lines = try objects.map { key, text in
      try JSONSerialization.data(withJSONObject: [bucket, key, text ?? NSNull()] as [Any])
    }
    let file = base.appending(path: "objects")
    try Data(lines.joined(separator: [0x0A])).write(to: file)
    let curl = try ChildProcess(
      Programs.find("curl"), ["-sf", "--data-binary", "@\(file.path)", endpoint + "/_objects"],
      environment: [:], directory: base, records: base.appending(path: "records"))
    XCTAssertEqual(try curl.end(within: .seconds(60)), .exited(0), curl.said)
  }

  /// Runs `mirror sync` with the server's key in the variables.
  @discardableResult
  private func syncBucket(
    _ catalog: String = "s3://bucket/", _ options: String...,
    variables: [String: String] = [
      "AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret,
    ]
  ) throws -> ProgramOutcome {
    try start(
      ["sync", catalog, copy.path, "--endpoint", endpoint] + options, environment: variables
    ).outcome(within: .seconds(300))
  }

  /// Characters that a key may hold, and that something on the way may take for something else.
  private static let odd = [
    "with space", "a+b", "100%", "%41", "q?x=1&y#z", "ünïcode", "日本語 🎈", "semi;colon", "<a>&\"'",
    "co:lon@at", "back`tick", "[x]{y}|z^", "~tilde-._", "*!'()", "$,=", "dir with space/in+it%",
    "cafe\u{301}",
  ]

  func testABucketOfSeveralPagesArrivesWholeAndCostsNoItemTheSecondTime() throws {
    var objects: [String: String?] = [:]
    for number in 0..<2_500 { objects["many/\(number % 7)/\(number).txt"] = "text \(number)" }
    try put(objects)
    let first = try syncBucket("s3://bucket/many/", "--json")
    assertEnd(first, 0)
    XCTAssertEqual(
      try copied(),
      Dictionary(
        uniqueKeysWithValues: objects.map { ($0.key.replacing("many/", with: ""), $0.value ?? "") })
    )
    let pages = first.printed.split(separator: "\n").filter { $0.contains(#""event":"page""#) }
    XCTAssertEqual(pages.count, 3, "1,000 keys a page")
    try put(["many/0/0.txt": "changed", "many/1/1.txt": nil])
    let second = try syncBucket("s3://bucket/many/", "--json")
    assertEnd(second, 0)
    XCTAssertEqual(try copied()["0/0.txt"], "changed")
    XCTAssertEqual(try copied().count, 2_499)
    XCTAssert(second.printed.contains(#""updated":1"#), second.printed)
  }

  func testAListOfSeveralPagesIsHadWithoutAKey() throws {
    let keys = (0..<2_500).map { "many/\($0)" }
    try put(Dictionary(uniqueKeysWithValues: keys.map { ($0, Optional("")) }), in: "public")
    let plan = try mirror(
      "plan", "s3://public/many", copy.path, "--endpoint", endpoint, "--json")
    assertEnd(plan, 0)
    let lines = plan.printed.split(separator: "\n").filter { $0.contains(#""key":"#) }
    XCTAssertEqual(lines.count, 2_500, "\(plan.printed.suffix(400))")
  }

  func testKeysWithEveryOddCharacterArriveSignedAndAnonymously() throws {
    let objects = Dictionary(uniqueKeysWithValues: Self.odd.map { ($0, Optional("in \($0)")) })
    for bucket in ["bucket", "public"] {
      try put(objects, in: bucket)
      let prefixed = objects.map { ("pre fix+/" + $0.key, $0.value) }
      try put(Dictionary(uniqueKeysWithValues: prefixed), in: bucket)
      for (path, prefix) in [("/", ""), ("/pre%20fix+", "pre fix+/")] {
        try? FileManager.default.removeItem(at: copy)
        let isSigned = bucket == "bucket"
        assertEnd(
          try isSigned
            ? syncBucket("s3://\(bucket)\(path)")
            : syncBucket("s3://\(bucket)\(path)", variables: [:]), 0)
        let found = try files(in: copy)
        for (key, text) in objects {
          let bytes = found[key].map { String(decoding: $0, as: UTF8.self) }
          XCTAssertEqual(bytes, text, "\(bucket): \(prefix)\(key)")
        }
      }
    }
  }

  func testMarkersOfDirectoriesArePassedOverAndCounted() throws {
    try put(["a/": "", "a/b": "text", "c/": ""])
    let outcome = try syncBucket()
    assertEnd(outcome, 0)
    XCTAssertEqual(try copied(), ["a/b": "text"])
    XCTAssert(
      outcome.printed.contains("2 objects that only stand for a directory were passed over"),
      "\(outcome)")
  }

  func testWithoutAKeyOrWithAWrongOneNothingIsHadAndNothingIsRemoved() throws {
    try put(["a": "text", "b": "text"])
    assertEnd(try syncBucket(), 0)
    let wrong = ["AWS_ACCESS_KEY_ID": Self.key, "AWS_SECRET_ACCESS_KEY": "another"]
    for (variables, words) in [([:], "403"), (wrong, "check the key's id and its secret")] {
      let outcome = try syncBucket(variables: variables)
      assertEnd(outcome, 1)
      XCTAssert(outcome.said.contains(words), "\(outcome)")
    }
    assertEnd(try syncBucket("s3://bucket/", "--anonymous"), 1)
    XCTAssertEqual(try copied().count, 2)
  }

  func testTheKeyMayStandInAProfileAndIsNowhereElse() throws {
    try put(["a": "text"])
    let home = base.appending(path: "home/.aws")
    try makeFolder(at: home)
    try Data(
      """
      [work]
      aws_access_key_id = \(Self.key)
      aws_secret_access_key = \(Self.secret)
      """.utf8
    ).write(to: home.appending(path: "credentials"))
    let log = base.appending(path: "log").path
    let outcome = try syncBucket(
      "s3://bucket/", "--profile", "work", "--log-file", log, "-v", variables: [:])
    assertEnd(outcome, 0)
    let missing = try syncBucket("s3://bucket/", "--profile", "nobody", variables: [:])
    assertRefused(missing, 64, saying: "no profile 'nobody'")
    let kept = try FileManager.default.subpathsOfDirectory(atPath: copy.path)
    for path in kept.map({ copy.appending(path: $0).path }) + [log] {
      guard let bytes = FileManager.default.contents(atPath: path) else { continue }
      XCTAssertNil(bytes.range(of: Data(Self.secret.utf8)), path)
      XCTAssertNil(bytes.range(of: Data("Signature=".utf8)), path)
    }
    XCTAssertFalse("\(outcome)\(missing)".contains(Self.secret))
  }

  func testAnAddressWithTheFormatsNameIsABucketToo() throws {
    try put(["dir/a": "text"])
    assertEnd(try syncBucket(endpoint + "/bucket/dir", "--format", "s3"), 0)
    XCTAssertEqual(try copied(), ["a": "text"])
  }

  func testAFolderOfOneBucketRefusesAnother() throws {
    try put(["a": "text"])
    try put(["a": "text"], in: "public")
    assertEnd(try syncBucket(), 0)
    let other = try syncBucket("s3://public/")
    assertEnd(other, 3)
    XCTAssert(other.said.contains("/public/"), "\(other)")
  }

  func testWhatIsDamagedIsFetchedAgainWithTheSameOptions() throws {
    try put(["a": "text", "b": "text"])
    assertEnd(try syncBucket(), 0)
    try Data("edit".utf8).write(to: copy.appending(path: "a"))
    let child = try start(
      ["verify", "--repair", copy.path, "--endpoint", endpoint],
      environment: ["AWS_ACCESS_KEY_ID": Self.key, "AWS_SECRET_ACCESS_KEY": Self.secret])
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
    XCTAssertEqual(try copied(), ["a": "text", "b": "text"])
  }
}
