import Foundation
import TestSupport
import XCTest

/// What `mirror doctor` and `mirror plan` say of a source is so.
final class DoctorTruthTests: MirrorTestCase {
  private static let feed = """
    <rss version="2.0"><channel><title>t</title>
    <item><guid>1</guid><title>One</title><pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate>
    <enclosure url="a.txt" length="5" type="text/plain"/></item></channel></rss>
    """

  /// The line mirrored under other names than were asked for.
  func testTheTemplateOfNamesStandsInTheCommandLine() throws {
    try publish(["a.txt": "alpha", "feed.xml": Self.feed])
    let address = try serve().url + "feed.xml"
    let doctor = try mirror("doctor", address, "--key-template", "{date} {title}")
    assertEnd(doctor, 0)
    XCTAssertTrue(
      doctor.printed.hasSuffix(
        "\nmirror sync \(address) FOLDER --key-template '{date} {title}'\n"), "\(doctor)")
  }

  /// It said that a catalog is to be published, and not by what.
  func testAFolderOfFilesIsAnsweredWithTheCommandsThatMirrorIt() throws {
    try publish(["a b/one.txt": "1"])
    let folder = source.appending(path: "a b")
    for slash in ["", "/"] {
      let address = "file://" + folder.path.replacing(" ", with: "%20") + slash
      let doctor = try mirror("doctor", address)
      assertEnd(doctor, 1)
      let lines = doctor.printed.split(separator: "\n").map(String.init)
      XCTAssertTrue(lines[0].hasSuffix("and name that (mirror publish)."), "\(doctor)")
      XCTAssertEqual(
        Array(lines.suffix(2)),
        [
          "mirror publish '\(folder.path)\(slash)'",
          "mirror sync file://\(folder.path.replacing(" ", with: "%20"))/catalog.ndjson FOLDER",
        ])
    }
    assertEnd(try mirror("publish", folder.path), 0)
    let catalog = "file://" + folder.path.replacing(" ", with: "%20") + "/catalog.ndjson"
    assertEnd(try sync(catalog), 0)
    XCTAssertEqual(try copied(), ["one.txt": "1"])
  }

  /// It said "costs no request" where each directory is asked for, and some items are.
  func testWhatAnUnchangedSourceCostsIsSaid() throws {
    try publish([
      "a.txt": "alpha", "b/c.txt": "gamma",
      "some.ndjson": #"{"catalog":1}"# + "\n" + #"{"key":"a.txt"}"# + "\n"
        + #"{"key":"b/c.txt","version":"1"}"# + "\n",
    ])
    try publishCatalog()
    let server = try serve(listing: .html)
    for (path, words) in [
      ("catalog.ndjson", "the list, which is asked for in each run; what is unchanged costs no"),
      ("", "the list, all pages of which are asked for in each run; what is unchanged costs no"),
      ("", "costs no further request, but for items whose date was so young that it proved"),
      ("some.ndjson", "Of 1 item the list doesn't tell whether they have changed: they are asked"),
    ] {
      let doctor = try mirror("doctor", server.url + path)
      XCTAssertTrue(doctor.printed.contains(words), "\(path): \(doctor)")
    }
    let exact = try mirror("doctor", server.url + "catalog.ndjson")
    XCTAssertTrue(exact.printed.contains("costs no further request.\n"), "\(exact)")
  }

  /// Sums of rounded sizes were told to the byte.
  func testSumsOfRoundedSizesAreToldAsSuch() throws {
    try publish(["a.txt": String(repeating: "a", count: 1_234), "b.txt": "beta"])
    let server = try serve(by: .lighttpd)
    let doctor = try mirror("doctor", server.url)
    XCTAssertTrue(doctor.printed.contains(": 2 items, about 1.3 KiB, in 1 page\n"), "\(doctor)")
    let plan = try mirror("plan", server.url, copy.path)
    XCTAssertTrue(plan.printed.contains("a.txt (new, about 1.2 KiB)"), "\(plan)")
    XCTAssertTrue(plan.printed.hasSuffix("would fetch 2 items (about 1.3 KiB)\n"), "\(plan)")
    let json = try mirror("plan", server.url, copy.path, "--json").printed
    XCTAssertTrue(json.contains(#""rounded":true"#) && json.contains(#""rounded":2"#), json)
    try publishCatalog()
    let exact = try mirror("plan", server.url + "catalog.ndjson", copy.path)
    XCTAssertFalse(exact.printed.contains("about"), "\(exact)")
  }

  /// It did nothing, and said nothing.
  func testWhoVouchesForAFeedIsToldThatItMeansNothing() throws {
    try publish(["a.txt": "alpha", "feed.xml": Self.feed])
    let address = try serve().url + "feed.xml"
    let words = "that the list is whole is vouched for in vain: a feed"
    for command in ["plan", "sync"] {
      let plain = try mirror(command, address, copy.path)
      XCTAssertFalse((plain.printed + plain.said).contains("in vain"), "\(plain)")
      let vouched = try mirror(command, address, copy.path, "--complete")
      assertEnd(vouched, 0)
      XCTAssertTrue(vouched.printed.contains(words), "\(vouched)")
    }
  }
}
