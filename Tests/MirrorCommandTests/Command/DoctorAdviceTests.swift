import Foundation
import TestSupport
import XCTest

/// What `mirror doctor` says to do: never what fails in the same way.
final class DoctorAdviceTests: MirrorTestCase {
  /// The last line was a command with `--format map`, which is no format.
  func testAfterAMappingThatFailsThereIsNoCommandLine() throws {
    try publish(["a.json": #"{"n":9,"data":{"files":[{"n":"a.txt"}]}}"#])
    let server = try serve()
    for map in ["items=data.files,key=n,count=n", "items=lost,key=n"] {
      let doctor = try mirror("doctor", server.url + "a.json", "--map", map)
      XCTAssertEqual(doctor.end, .exited(1), "\(doctor)")
      XCTAssertFalse(doctor.printed.contains("mirror sync"), "\(doctor)")
      XCTAssertFalse(doctor.printed.contains("can be read as"), "\(doctor)")
    }
  }

  /// It advised to ask itself.
  func testItSendsNobodyToItself() throws {
    try publish(["a.txt": "alpha"])
    let server = try serve()
    for words in [[], ["--json"]] {
      let doctor = try mirror(["doctor", server.url + "a.txt"] + words)
      XCTAssertEqual(doctor.end, .exited(1), "\(doctor)")
      XCTAssert(doctor.printed.contains("name its format (--format)"), "\(doctor)")
      XCTAssertFalse((doctor.printed + doctor.said).contains("mirror doctor"), "\(doctor)")
    }
  }

  /// It ended with status 0 and the command line.
  func testAMappingByWhichNothingCanBeUsedIsToldWithTheReason() throws {
    try publish(["a.json": #"{"files":[{"n":"a"},{"n":"b"}]}"#])
    let server = try serve()
    let doctor = try mirror("doctor", server.url + "a.json", "--map", "items=files,key=name")
    assertEnd(doctor, 2)
    XCTAssert(doctor.printed.contains("2 of 2 entries can't be mirrored:"), "\(doctor)")
    XCTAssert(doctor.printed.contains("no value at 'name'"), "\(doctor)")
    XCTAssertFalse(doctor.printed.contains("mirror sync"), "\(doctor)")
  }

  /// Only SHA-256 was taken for a digest.
  func testTheAlgorithmThatChecksTheBytesIsNamed() throws {
    try publish(["a.txt": "alpha"])
    let server = try serve()
    for (name, count, words) in [
      ("MD5SUMS", 32, "Bytes are checked by MD5, which refuses what differs"),
      ("SHA512SUMS", 128, "Every byte is checked by its digest (SHA-512)."),
    ] {
      try publish([name: String(repeating: "a", count: count) + "  a.txt\n"])
      let doctor = try mirror("doctor", server.url + name)
      XCTAssert(doctor.printed.contains(words), "\(doctor)")
      XCTAssertFalse(doctor.printed.contains("no digests"), "\(doctor)")
    }
  }

  func testAnEntryOfAFeedWithoutAFileIsTold() throws {
    let feed = """
      <rss version="2.0"><channel><title>t</title>
      <item><guid>1</guid><enclosure url="a.txt" length="5" type="text/plain"/></item>
      <item><guid>2</guid></item></channel></rss>
      """
    try publish(["a.txt": "alpha", "feed.xml": feed])
    let doctor = try mirror("doctor", try serve().url + "feed.xml")
    assertEnd(doctor, 0)
    XCTAssert(doctor.printed.contains("1 item of the listing has no file to mirror."), "\(doctor)")
  }

  /// Only above it something was said.
  func testASuiteItselfIsKnownAsThat() throws {
    try publish([
      "debian/dists/stable/Release": "SHA256:\n",
      "debian/dists/stable/main/binary-amd64/Packages": "",
    ])
    let suite = try serve(listing: .html).url + "debian/dists/stable/"
    let doctor = try mirror("doctor", suite)
    XCTAssert(doctor.printed.contains("It is a suite of a Debian repository"), "\(doctor)")
    XCTAssert(
      doctor.printed.hasSuffix("mirror sync \(suite) FOLDER --format debian\n"), "\(doctor)")
  }
}
