import CatalogMirror
import Console
import Foundation
import SyncFetching
import XCTest

@testable import mirror

/// What a watch takes of a configuration, and what is a change of one.
final class WatchedConfigurationTests: ConfigurationTestCase {
  func testWhatHoldsForAllIsAnOptionOfWatchLikeEverythingOfSync() {
    let known = Set(Invocation.options.options(for: .watch).map(\.name))
    XCTAssertTrue(Invocation.ofProcess.union(Invocation.ofCommandLine).isSubset(of: known))
    let syncs = Set(Invocation.options.options(for: .sync).map(\.name))
    XCTAssertEqual(syncs.subtracting(known), ["dry-run", "progress", "verbose"])
    XCTAssertTrue(ConfigCommand.secrets.isSubset(of: known))
  }

  func testWhatStandsInFilesThatAreNamedIsAChange() throws {
    let named = path + ".named"
    defer { try? FileManager.default.removeItem(atPath: named) }
    for (setting, before, after) in [
      ("filter-from = \(named)", "- a\n", "- b\n"), ("files-from = \(named)", "a\n", "b\n"),
      ("header = @\(named)", "A: 1\n", "A: 2\n"),
    ] {
      try Data(before.utf8).write(to: URL(filePath: named))
      let first = try read(one + setting).mirrors
      XCTAssertEqual(first, try read(one + setting).mirrors, setting)
      try Data(after.utf8).write(to: URL(filePath: named))
      XCTAssertNotEqual(first, try read(one + setting).mirrors, setting)
    }
  }

  func testAWatchPassesOverWhatOnlySingleRunsShow() throws {
    let text = "[defaults]\nverbose = yes\n" + one + "progress = yes\n"
    for (command, isShown) in [("sync", true), ("watch", false)] {
      let invocation = try XCTUnwrap(try read(text, command: command).mirrors.first?.invocation)
      XCTAssertEqual([invocation.isVerbose, invocation.showsProgress], [isShown, isShown])
    }
    XCTAssertThrowsError(try read(one, ["--verbose"], command: "watch"))
  }

  func testAnotherTokenFileIsAChangeAndAnotherRemarkIsNone() throws {
    let before = try read(one).mirrors
    XCTAssertEqual(before, try read("# new\n" + one).mirrors)
    XCTAssertNotEqual(before, try read(one + "token-file = x\n").mirrors)
  }
}
