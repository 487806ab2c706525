import Foundation
import TestSupport
import XCTest

/// A part of what nginx lists, mirrored.
final class FilterTests: MirrorTestCase {
  private func publishTree() throws {
    try publish([
      "a.txt": "alpha", "big.bin": String(repeating: "b", count: 5_000), "keep/c.txt": "gamma",
      "skip/d.txt": "delta", "skip/deep/e.txt": "epsilon", "skip/deep/kept": "kept",
    ])
  }

  private func listings(of server: NginxServer) throws -> [String] {
    try server.takeRequests().filter(\.isListing).map(\.target).sorted()
  }

  func testAnExcludedDirectoryIsNotAskedFor() throws {
    try publishTree()
    let server = try serve(listing: .html)
    assertEnd(try sync(server.url, ["--exclude", "skip/", "--max-size", "1K"]), 0)
    XCTAssertEqual(try listings(of: server), ["/", "/keep/"])
    XCTAssertEqual(try copied(), ["a.txt": "alpha", "keep/c.txt": "gamma"])
    assertEnd(try sync(server.url, ["--include", "/skip/deep/kept"]), 0)
    XCTAssertEqual(try listings(of: server), ["/", "/skip/", "/skip/deep/"])
    XCTAssertEqual(try copied().keys.sorted(), ["a.txt", "keep/c.txt", "skip/deep/kept"])
  }

  func testChangedFiltersAreToldInALineAndNothingElseIs() throws {
    try publishTree()
    let server = try serve(listing: .html)
    assertEnd(try sync(server.url), 0)
    let changed = try sync(server.url, ["--exclude", "*.txt"])
    assertEnd(changed, 0)
    let told = "the filters changed: 4 items that are held lie outside now, and stay"
    XCTAssertTrue(changed.printed.contains(told), "\(changed)")
    XCTAssertEqual(try copied().count, 6)
    let again = try sync(server.url, ["--exclude", "*.txt"])
    assertEnd(again, 0)
    XCTAssertFalse(again.printed.contains("filters"), "\(again)")
    let removing = try sync(
      server.url, ["--exclude", "*.txt", "--remove-excluded", "--max-delete", "4"])
    assertEnd(removing, 0)
    XCTAssertEqual(try copied().keys.sorted(), ["big.bin", "skip/deep/kept"])
  }

  func testFiltersComeFromFilesAsWell() throws {
    try publishTree()
    let server = try serve(listing: .json)
    let (filters, names) = (base.appending(path: "filters"), base.appending(path: "names"))
    try Data("# a comment\n+ kept\n- skip/\n".utf8).write(to: filters)
    try Data("a.txt\nskip/\n".utf8).write(to: names)
    let options = ["--filter-from", filters.path, "--files-from", names.path]
    assertEnd(try sync(server.url, options), 0)
    XCTAssertEqual(try copied().keys.sorted(), ["a.txt", "skip/deep/kept"])
    let plan = try mirror(
      "plan", server.url, copy.path, "--filter-from", filters.path, "--files-from", names.path)
    assertEnd(plan, 0)
    for line in [
      "leaves out 1 item and 1 directory: not among the names that were given",
      "leaves out 2 items: excluded by 'skip/'",
    ] {
      XCTAssertTrue(plan.printed.contains(line), "\(line) isn't in \(plan)")
    }
  }

  func testWhatIsNoPatternIsRefusedBeforeAnythingHappens() throws {
    let file = base.appending(path: "filters")
    try Data("+ a\n\nb\n".utf8).write(to: file)
    let wrong = [
      (["--exclude", "[a"], "'[a' has a '['"), (["--include", "!a"], "begins with '!'"),
      (["--filter-from", file.path], "line 3"), (["--files-from", "nowhere"], "can't be read"),
      (["--last", "/"], "names nothing"), (["--max-size", "much"], "no size"),
    ]
    for (options, words) in wrong {
      assertRefused(try sync("http://127.0.0.1:9/", options), 64, saying: words)
    }
    XCTAssertFalse(isThere(copy))
  }

  func testWhatComesLastIsPlacedLast() throws {
    try publish(["dists/Packages": "pool/a", "pool/a": "alpha"])
    let server = try serve(listing: .html)
    let options = ["--last", "dists/**"]
    assertEnd(try sync(server.url, options), 0)
    // What no size vouches for is asked for once more where a page without a length came before it
    // on the connection.
    let asked = try server.takeRequests().filter { !$0.isListing }.map(\.target)
    XCTAssertEqual(Array(asked.suffix(2)), ["/dists/Packages", "/pool/a"])
    XCTAssertEqual(Set(asked.dropLast()), ["/dists/Packages"])
    XCTAssertLessThanOrEqual(asked.count, 4)
    // A package that the index names can't be had.
    try publish(["dists/Packages": "pool/a pool/b"], dated: Date(timeIntervalSince1970: 1.6e9))
    try makeLink(at: source.appending(path: "pool/b").path, to: "nowhere")
    let failed = try sync(server.url, options)
    assertEnd(failed, 2)
    XCTAssertTrue(failed.said.contains("held back"), "\(failed)")
    XCTAssertEqual(try copied()["dists/Packages"], "pool/a")
  }
}
