import CatalogMirror
import XCTest
@testable import SyncFolder
@testable import SyncText

final class ListingAssemblyTests: XCTestCase {
  func testAChainIsFollowedInOrderAndCompleteWhenItCloses() throws {
    var run = try Run()
    XCTAssertEqual(
      run.first, .fetch([PageRequest(CatalogRequest(Run.root), isConditional: false)]))
    XCTAssertEqual(run.fetch("", ["a"], next: "2", count: 3), .fetch([run.request("2")]))
    XCTAssertEqual(run.fetch("2", ["b"], next: "3"), .fetch([run.request("3")]))
    let listing = try run.listing(run.fetch("3", ["c"]))
    XCTAssertEqual(listing.entries.map(\.key), ["a", "b", "c"].map { CatalogKey($0) })
    XCTAssertEqual(listing.completeness, .complete)
    XCTAssertEqual(listing.pages.map(\.url), ["", "2", "3"].map { Run.root + $0 })
    XCTAssertFalse(listing.isUnchanged)
  }

  func testAChainThatComesBackToItselfIsAnError() throws {
    for target in ["", "2"] {
      var run = try Run()
      _ = run.fetch("", ["a"], next: "2")
      XCTAssertEqual(
        run.fetch("2", ["b"], next: target), .fail(.pageLoop(url: Run.root + target)))
    }
  }

  func testAnEndlessChainEndsAtTheLimit() throws {
    var run = try Run { $0.limits.pages = 10 }
    var action = run.fetch("", [], next: "1")
    for number in 1..<20 {
      guard case .fetch = action else { break }
      action = run.fetch("\(number)", [], next: "\(number + 1)")
    }
    XCTAssertEqual(action, .fail(.limit(url: Run.root, .pages, most: 10)))
  }

  func testPagesThatListNothingEndAtTheirLimit() throws {
    for (rest, filled) in [("", 0), ("-", 3)] {
      var run = try Run { $0.limits.emptyPages = 10 }
      var action = run.fetch("", [], next: "1" + rest)
      for number in 1..<30 {
        guard case .fetch = action else { break }
        let keys = number == filled ? ["a"] : []
        action = run.fetch("\(number)" + rest, keys, next: "\(number + 1)" + rest)
      }
      let last = "\(filled + 10 + (filled > 0 ? 1 : 0))" + rest
      XCTAssertEqual(action, .fail(.limit(url: Run.root + last, .emptyPages, most: 10)))
    }
    XCTAssertEqual(CatalogLimits().emptyPages, 1_000)
  }

  func testAPageOfAChainThatIsMissingIsAnError() throws {
    for missing in 0..<4 {
      var run = try Run()
      var action = run.first
      for number in 0..<missing {
        action = run.fetch(
          number == 0 ? "" : "\(number)", ["k\(number)"], next: "\(number + 1)", count: 4)
      }
      XCTAssertNotEqual(action, .fetch([]))
      let path = missing == 0 ? "" : "\(missing)"
      XCTAssertEqual(
        run.unfetched(path), .fail(.unfetched(url: Run.root + path, reason: "503")))
    }
  }

  func testAChainPageThatIsSomethingElseIsAnErrorAndADirectorySpeaksForItself() throws {
    let error = CatalogError.unreadable(url: Run.root + "x", expected: .utf8, found: .binary)
    var chain = try Run()
    _ = chain.fetch("", ["a"], next: "x")
    XCTAssertEqual(chain.assembly.unreadable(Run.root + "x", error), .fail(error))
    var walk = try Run()
    _ = walk.fetch("", ["a"], directories: ["x", "y"])
    _ = walk.assembly.unreadable(Run.root + "x/", error)
    let listing = try walk.listing(walk.unfetched("y/"))
    XCTAssertEqual(listing.completeness, .complete)
    XCTAssertEqual(listing.unreadable.map(\.prefix), [Array("x/".utf8), Array("y/".utf8)])
    XCTAssertEqual(
      listing.unreadable.map(\.reason),
      ["it gave binary data, where a catalog in UTF-8 was expected", "503"])
    XCTAssertEqual(listing.pages.map(\.isUnreadable), [false, true, true])
  }

  /// Caddy lists 10,000 names of a directory and doesn't say when there are more: below a short page
  /// that is whole, such a page was taken for whole as well, and what it lacked was removed.
  func testADirectoryThatMayHaveBeenCutMakesTheListingPartial() throws {
    for (isVouchedFor, completeness) in [
      (false, Listing.Completeness.partial([.unvouchable])), (true, .complete),
    ] {
      var walk = try Run { $0.isVouchedFor = isVouchedFor }
      _ = walk.fetch("", ["a"], directories: ["x"])
      let listing = try walk.listing(walk.fetch("x/", ["b"], claim: .unvouchable))
      XCTAssertEqual(listing.completeness, completeness)
    }
  }

  func testADirectoryOfAnotherFormatIsNoReasonToNameOne() throws {
    let error = CatalogError.unreadable(url: Run.root + "x/", expected: .anyFormat, found: .json)
    XCTAssertEqual(error.advice, .nameFormat, "of the first page it is")
    var walk = try Run()
    _ = walk.fetch("", ["a"], directories: ["x"])
    let listing = try walk.listing(walk.assembly.unreadable(Run.root + "x/", error))
    XCTAssertEqual(listing.unreadable.map(\.advice), [nil])
  }

  func testADirectoryWhoseNameMakesNoURLIsShownByItsPath() throws {
    var run = try Run()
    _ = run.fetch("", ["a"], directories: ["x\u{1B}[31m"])
    let listing = try run.listing(run.unfetched("x\u{1B}[31m/"))
    XCTAssertEqual(listing.unreadable.map(\.url), [#"x\x1B[31m/"#])
  }

  func testADirectoryDoesNotMakeUpForAnotherThatMayHaveBeenCut() throws {
    var run = try Run()
    _ = run.fetch("", ["a"], directories: ["x", "y"])
    _ = run.unfetched("x/")
    let listing = try run.listing(run.fetch("y/", ["b"], isFramed: false))
    XCTAssertEqual(listing.completeness, .partial([.unframed(url: Run.root + "y/")]))
  }

  func testACountThatDisagreesIsAnErrorAndOneThatAgreesVouches() throws {
    for count: Int64 in [0, 1, 3, .max] {
      var run = try Run()
      XCTAssertEqual(
        run.fetch("", ["a", "b"], count: count, claim: .whole),
        .fail(.countDisagrees(url: Run.root, declared: count, found: 2)))
    }
    var run = try Run()
    let listing = try run.listing(run.fetch("", ["a", "b"], count: 2, claim: .unvouched))
    XCTAssertEqual(listing.completeness, .complete)
  }

  func testCompletenessNeedsAWordForItAndAFramedBody() throws {
    let table: [(CompletenessClaim, framed: Bool, vouched: Bool, Listing.Completeness)] = [
      (.whole, true, false, .complete), (.unvouched, true, true, .complete),
      (.unvouched, true, false, .partial([.unvouched])),
      (.window, true, false, .partial([.window])), (.window, true, true, .partial([.window])),
      (.whole, false, true, .partial([.unframed(url: Run.root)])),
    ]
    for (claim, framed, vouched, expected) in table {
      var run = try Run { $0.isVouchedFor = vouched }
      let action = run.fetch("", ["a"], claim: claim, isFramed: framed)
      XCTAssertEqual(try run.listing(action).completeness, expected)
    }
    var window = try Run()
    let listing = try window.listing(window.fetch("", ["a"], count: 100, claim: .window))
    XCTAssertEqual(listing.completeness, .partial([.window]), "a window may tell the whole's count")
  }

  func testCountAndRevisionAgreeFromFirstPageToLast() throws {
    for (count, revision, about): (Int64?, String?, CatalogError.Claim) in [
      (3, nil, .count), (nil, "r2", .revision),
    ] {
      var run = try Run()
      _ = run.fetch("", ["a"], next: "2", count: 2, revision: "r1")
      XCTAssertEqual(
        run.fetch("2", ["b"], count: count, revision: revision),
        .fail(.pagesDisagree(url: Run.root + "2", about: about)))
    }
  }

  func testAnOrderedRevisionThatWentBackIsRefusedUnlessAllowed() throws {
    for allows in [false, true] {
      var run = try Run(highest: 7) { $0.allowsRollback = allows }
      var page = run.page(["a"], claim: .whole)
      page.header.revision = .ordered(6)
      let action = run.assembly.fetched(
        Run.root, page: page, digest: Golden.hash("x"), isFramed: true)
      if allows {
        XCTAssertEqual(try run.listing(action).header.revision, .ordered(6))
      } else {
        XCTAssertEqual(action, .fail(.rolledBack(url: Run.root, from: 7, to: 6)))
      }
    }
  }

  func testDirectoriesAreWalkedSideBySideAndListedInOrder() throws {
    var run = try Run()
    XCTAssertEqual(
      run.fetch("", ["z"], directories: ["a", "b"]),
      .fetch([run.request("a/"), run.request("b/")]))
    XCTAssertEqual(run.fetch("b/", ["x"]), .fetch([]))
    XCTAssertEqual(run.fetch("b/", ["again"]), .fetch([]), "a late answer changes nothing")
    XCTAssertEqual(run.fetch("a/", ["y"], directories: ["c"]), .fetch([run.request("a/c/")]))
    let listing = try run.listing(run.fetch("a/c/", ["w"]))
    XCTAssertEqual(listing.entries.map(\.key), ["z", "a/y", "a/c/w", "b/x"].map { CatalogKey($0) })
    XCTAssertEqual(listing.completeness, .complete)
  }

  func testDirectoriesThatNestWithoutEndEndAtTheLimit() throws {
    var run = try Run()
    var action = run.first
    var path = ""
    while case .fetch = action, path.count < 200 {
      action = run.fetch(path, ["\(path.count)"], directories: ["l"])
      path += "l/"
    }
    XCTAssertEqual(
      action, .fail(.limit(url: Run.root + path, .levels, most: 32)))
    XCTAssertEqual(path.count, 66)
  }

  /// A list has to come ten times more.
  func testDirectoriesThatRepeatThemselvesAreLeftAloneAndSayWhichOnes() throws {
    var run = try Run()
    var action = run.first
    var path = ""
    while case .fetch = action, path.count < 200 {
      action = run.fetch(path, ["file"], directories: ["l", "other"])
      if path.isEmpty { _ = run.fetch("other/", ["file"]) }
      path += "l/"
    }
    XCTAssertEqual(path.count, 22)
    let listing = try run.listing(action)
    XCTAssertEqual(listing.entries.map(\.key), ["file", "other/file"].map { CatalogKey($0) })
    XCTAssertEqual(listing.unreadable.map(\.prefix), [Array("l/".utf8)])
    XCTAssertEqual(listing.unreadable.map(\.isRepetition), [true])
  }

  func testAKeyListedTwiceIsAnErrorAlsoAcrossPagesAndWhenItIsNoPath() throws {
    for key in ["a", "../x"] {
      var run = try Run()
      _ = run.fetch("", [key], next: "2")
      XCTAssertEqual(run.fetch("2", ["b", key]), .fail(.duplicateKey(CatalogKey(key))))
    }
  }

  /// Of a key that stands once inside and once outside nobody knows which is meant.
  func testAKeyListedTwiceIsAnErrorThoughAFilterLeavesItOut() throws {
    let scope = try scope("- *.iso")
    var outside = try Run { $0.scope = ScopeBoundary(scope, at: 0) }
    _ = outside.fetch("", ["x.iso", "a"], next: "2")
    XCTAssertEqual(outside.fetch("2", ["b", "x.iso"]), .fail(.duplicateKey(CatalogKey("x.iso"))))

    var small = Scope()
    small.maximumSize = 5
    for sizes: [Int64] in [[5, 6], [6, 5], [6, 7]] {
      var run = try Run { [small] in $0.scope = ScopeBoundary(small, at: 0) }
      var page = run.page([], claim: .whole)
      page.entries = sizes.map { size in
        var entry = CatalogEntry.plain("a")
        entry.size = size
        return .entry(entry, settled: true)
      }
      let action = run.assembly.fetched(
        Run.root, page: page, digest: Golden.hash("1"), isFramed: true)
      XCTAssertEqual(action, .fail(.duplicateKey(CatalogKey("a"))))
    }
  }

  func testBadKeysAndCollisionsFailByPositionAndTheOthersGoOn() throws {
    var run = try Run()
    let listing = try run.listing(run.fetch("", ["a", "a/b", "../x", "c", "C"], claim: .whole))
    XCTAssertEqual(listing.entries.map(\.key), ["c", "C"].map { CatalogKey($0) })
    XCTAssertEqual(listing.unusable.map(\.position), [1, 2, 3])
    XCTAssertEqual(listing.unusable[2].problem, .key(.dotComponent))
    XCTAssertEqual(listing.completeness, .complete)
    var folded = try Run { $0.folding = NameFolding(caseFolding: true) }
    let twins = try folded.listing(folded.fetch("", ["c", "C", "d"], claim: .whole))
    XCTAssertEqual(twins.entries.map(\.key), [CatalogKey("d")])
  }
}
