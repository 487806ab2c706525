import CatalogMirror
import XCTest
@testable import SyncText

final class UnchangedTests: XCTestCase {
  /// A first page, a directory in it, and a second page.
  private func recorded(isSettled: Bool = true, revision: String? = nil) throws -> RecordedListing {
    var run = try Run()
    _ = run.fetch("", ["a"], next: "2", directories: ["x"], revision: revision)
    _ = run.fetch("x/", ["b"], isSettled: isSettled)
    let listing = try run.listing(run.fetch("2", ["c"]))
    XCTAssertEqual(listing.unsettled.isEmpty, isSettled)
    return RecordedListing(pages: listing.pages, revision: listing.header.revision)
  }

  func testUnchangedNeeds304OnEveryPage() throws {
    var run = try Run(recorded: recorded())
    XCTAssertEqual(run.first, .fetch([run.request("", isConditional: true)]))
    XCTAssertEqual(
      run.notModified(""),
      .fetch([run.request("x/", isConditional: true), run.request("2", isConditional: true)]))
    XCTAssertEqual(run.notModified("2"), .fetch([]))
    let listing = try run.listing(run.notModified("x/"))
    XCTAssertTrue(listing.isUnchanged)
    XCTAssertEqual(Set(listing.pages), Set(try recorded().pages))
  }

  func testEqualBodiesOfTheSamePagesAreUnchangedAsWell() throws {
    var run = try Run(recorded: recorded())
    _ = run.fetch("", ["a"], next: "2", directories: ["x"])
    _ = run.notModified("2")
    XCTAssertTrue(try run.listing(run.fetch("x/", ["b"])).isUnchanged)
  }

  func testWhenOnePageDiffersThoseThatWere304AreFetchedWhole() throws {
    var run = try Run(recorded: recorded())
    _ = run.notModified("")
    _ = run.fetch("x/", ["b"])
    XCTAssertEqual(run.fetch("2", ["c", "d"], body: "2"), .fetch([run.request("")]))
    let action = run.fetch("", ["a"], next: "2", directories: ["x"])
    let listing = try run.listing(action)
    XCTAssertFalse(listing.isUnchanged)
    XCTAssertEqual(listing.entries.map(\.key), ["a", "x/b", "c", "d"].map { CatalogKey($0) })
    XCTAssertEqual(listing.completeness, .complete)
  }

  func testA304ThatComesAfterAnotherPageChangedIsAskedForAgain() throws {
    var run = try Run(recorded: recorded())
    _ = run.fetch("", ["a"], next: "2", directories: ["x"])
    XCTAssertEqual(
      run.fetch("2", ["c", "d"], body: "2"), .fetch([run.request("x/")]),
      "what is under way is conditional, so it is asked for whole")
    XCTAssertEqual(run.notModified("x/"), .fetch([run.request("x/")]))
    XCTAssertEqual(try run.listing(run.fetch("x/", ["b"])).entries.count, 4)
  }

  func testADirectoryThatBecameUnreadableIsAChange() throws {
    var run = try Run(recorded: recorded())
    _ = run.notModified("")
    _ = run.notModified("2")
    XCTAssertEqual(run.unfetched("x/"), .fetch([run.request("")]))
    XCTAssertEqual(
      run.fetch("", ["a"], next: "2", directories: ["x"]), .fetch([run.request("2")]),
      "what is missing isn't asked for twice")
    let listing = try run.listing(run.fetch("2", ["c"]))
    XCTAssertFalse(listing.isUnchanged)
    XCTAssertEqual(listing.completeness, .complete)
    XCTAssertEqual(listing.unreadable.map(\.url), [Run.root + "x/"])
  }

  func testADirectoryThatStillCannotBeReadChangesNothing() throws {
    var first = try Run()
    _ = first.fetch("", ["a"], directories: ["x"])
    let before = try first.listing(first.unfetched("x/"))
    var run = try Run(recorded: RecordedListing(pages: before.pages))
    _ = run.notModified("")
    let listing = try run.listing(run.unfetched("x/"))
    XCTAssertTrue(listing.isUnchanged)
    XCTAssertEqual(listing.unreadable, before.unreadable)
    XCTAssertEqual(listing.pages, before.pages)
    // Nobody asked whether it was modified.
    var asked = try Run(recorded: RecordedListing(pages: before.pages))
    _ = asked.notModified("")
    XCTAssertEqual(try asked.listing(asked.notModified("x/")).unreadable.count, 1)
    // And once it can be read, that is a change.
    var again = try Run(recorded: RecordedListing(pages: before.pages))
    _ = again.notModified("")
    XCTAssertEqual(again.fetch("x/", ["b"]), .fetch([again.request("")]))
    let whole = try again.listing(again.fetch("", ["a"], directories: ["x"]))
    XCTAssertEqual(whole.entries.map(\.key), ["a", "x/b"].map { CatalogKey($0) })
    XCTAssertEqual(whole.unreadable, [])
  }

  func testTheSameRevisionWithAnotherBodyIsAnError() throws {
    var again = try Run(recorded: recorded(revision: "r1"))
    XCTAssertEqual(
      again.fetch("", ["a"], revision: "r1", body: "2"),
      .fail(.sameRevisionOtherBody(url: Run.root, revision: .opaque("r1"))))
    var other = try Run(recorded: recorded(revision: "r1"))
    let listing = try other.listing(other.fetch("", ["a"], revision: "r2", body: "2"))
    XCTAssertEqual(listing.header.revision, .opaque("r2"))
  }

  func testUnsettledEntriesAreNeverUnchanged() throws {
    var run = try Run(recorded: recorded(isSettled: false))
    XCTAssertEqual(run.first, .fetch([run.request("")]), "without conditions")
    _ = run.fetch("", ["a"], next: "2", directories: ["x"])
    _ = run.fetch("x/", ["b"])
    let listing = try run.listing(run.fetch("2", ["c"]))
    XCTAssertFalse(listing.isUnchanged)
    XCTAssertEqual(listing.entries.count, 3)
  }

  func testA304ToARequestWithoutConditionsIsNoAnswer() throws {
    var run = try Run()
    guard case .fail(.unfetched) = run.notModified("") else { return XCTFail("taken for one") }
  }

  /// Whatever order answers come in, and whatever they are, an assembly ends, and what it calls
  /// complete or unchanged has every entry.
  func testRandomWalksKeepTheInvariants() throws {
    for seed in 0..<400 {
      var random = Seeded(state: UInt64(seed))
      var run = try Run(recorded: Bool.random(using: &random) ? recorded() : nil)
      var open: Set<PageRequest> = []
      var action = run.first
      var hasFailed = false
      var steps = 0
      walking: while steps < 100 {
        steps += 1
        switch action {
        case .fetch(let requests): open.formUnion(requests)
        case .fail(let error):
          guard case .unfetched = error, hasFailed else { XCTFail("\(error)"); return }
          break walking
        case .finish(let listing):
          if listing.isUnchanged {
            XCTAssertFalse(hasFailed, "seed \(seed)")
          } else if listing.unreadable.isEmpty {
            XCTAssertEqual(Set(listing.entries.map(\.key)).count, 3, "seed \(seed)")
          } else {
            XCTAssertTrue(hasFailed, "seed \(seed)")
          }
          XCTAssertEqual(listing.completeness, .complete, "seed \(seed)")
          break walking
        }
        guard let request = open.sorted(by: { $0.id < $1.id }).randomElement(using: &random)
        else { return XCTFail("nothing to do, seed \(seed)") }
        open.remove(request)
        let path = String(request.id.dropFirst(Run.root.count))
        let dice = Int.random(in: 0..<10, using: &random)
        if dice == 0 {
          hasFailed = true
          action = run.unfetched(path)
        } else if request.isConditional, dice < 6 {
          action = run.notModified(path)
        } else {
          let body = dice == 9 ? "2" : "1"
          switch path {
          case "": action = run.fetch(path, ["a"], next: "2", directories: ["x"], body: body)
          case "2": action = run.fetch(path, ["c"], body: body)
          default: action = run.fetch(path, ["b"], body: body)
          }
        }
      }
      XCTAssertLessThan(steps, 100, "seed \(seed)")
    }
  }
}

private struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
