import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing

#if os(Linux)
  /// A folder that is published again whenever it changes.
  final class WatchingTests: PublishingTestCase {
    /// Publishes while `body` runs, and hands it each report.
    private func watching(
      _ writer: CatalogWriter? = nil, quiet: Duration = .milliseconds(20),
      trigger: PublishTrigger = PublishTrigger(),
      _ body: (inout AsyncStream<Result<PublishReport, PublishError>>.Iterator) async throws -> Void
    ) async throws {
      let (told, teller) = AsyncStream<Result<PublishReport, PublishError>>.makeStream()
      let writer = writer ?? self.writer()
      let task = Task {
        try await writer.watch(ChangeSettling(quiet: quiet), trigger: trigger) { teller.yield($0) }
      }
      var iterator = told.makeAsyncIterator()
      do { try await body(&iterator) } catch {
        task.cancel()
        throw error
      }
      task.cancel()
      do {
        try await task.value
        XCTFail("it ended by itself")
      } catch is CancellationError {}
    }

    private func next(
      _ reports: inout AsyncStream<Result<PublishReport, PublishError>>.Iterator
    ) async throws -> PublishReport {
      let told = await reports.next(isolation: nil)
      return try XCTUnwrap(told).get()
    }

    /// Puts a file there in one step.
    private func put(_ path: String, _ text: String = "x") throws {
      let aside = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try Data(text.utf8).write(to: aside)
      let file = folder.appending(path: path)
      guard rename(aside.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    func testEachChangeIsPublishedAndItsOwnWritingIsNone() async throws {
      try write("a", "1")
      try await watching { reports in
        var report = try await self.next(&reports)
        XCTAssertEqual([report.entries, report.hashed], [1, 1])
        for (count, name) in ["b", "c", "d"].enumerated() {
          try self.put(name)
          report = try await self.next(&reports)
          XCTAssertEqual([report.entries, report.hashed], [count + 2, 1], "after \(name)")
          XCTAssertTrue(report.wasReplaced)
        }
        try FileManager.default.removeItem(at: self.folder.appending(path: "a"))
        report = try await self.next(&reports)
        XCTAssertEqual([report.entries, report.hashed], [3, 0])
      }
      XCTAssertTrue(try text().contains("\"count\":3"))
    }

    func testWhenItIsAskedForItIsPublishedWithoutAChange() async throws {
      try write("a", "1")
      let trigger = PublishTrigger()
      try await watching(trigger: trigger) { reports in
        _ = try await self.next(&reports)
        for _ in 0..<2 {
          trigger.publish()
          let again = try await self.next(&reports)
          XCTAssertEqual([again.entries, again.hashed], [1, 0])
          XCTAssertFalse(again.wasReplaced)
        }
        try self.put("b")
        try await assertEqual(self.next(&reports).entries, 2, "changes are seen as before")
      }
    }

    func testDirectoriesThatAreMadeLaterAreWatchedToo() async throws {
      try await watching { reports in
        _ = try await self.next(&reports)
        let deep = self.folder.appending(path: "new/deep")
        try makeFolder(at: deep)
        _ = try await self.next(&reports)
        try self.put("new/deep/x")
        while try await self.next(&reports).entries == 0 {}
        try self.put("new/deep/y")
        while try await self.next(&reports).entries == 1 {}
      }
    }

    func testAStormOfChangesIsPublishedOnce() async throws {
      try makeFolder(at: folder.appending(path: "in"))
      try await watching(quiet: .milliseconds(200)) { reports in
        _ = try await self.next(&reports)
        for number in 0..<100 { try self.put("in/\(number)") }
        try await assertEqual(self.next(&reports).entries, 100)
      }
    }

    func testACatalogElsewhereInTheFolderIsNoChangeEither() async throws {
      try write("lists/x", "1")
      let writer = writer { $0.directory = self.folder.path + "/lists" }
      try await watching(writer) { reports in
        _ = try await self.next(&reports)
        try self.put("lists/y")
        let report = try await self.next(&reports)
        XCTAssertEqual([report.entries, report.hashed], [2, 1])
        try self.put("z")
        let last = try await self.next(&reports)
        XCTAssertEqual([last.entries, last.hashed], [3, 1])
      }
    }

    func testAFolderThatCannotBePublishedAtFirstIsAnError() async throws {
      do {
        try await CatalogWriter(folder: folder.path + "/none").watch { _ in }
        XCTFail("it is watched")
      } catch let error as PublishError {
        guard case .system("open", _, _) = error else { return XCTFail("\(error)") }
      }
    }

    /// What was unplugged comes back: whoever watches goes on.
    func testAFailureLaterIsToldAndTriedAgain() async throws {
      try write("previews/x", "1")
      let writer = writer { $0.previews = "previews" }
      try await watching(writer) { reports in
        _ = try await self.next(&reports)
        try FileManager.default.moveItem(
          at: self.folder.appending(path: "previews"), to: self.folder.appending(path: "aside"))
        let told = await reports.next(isolation: nil)
        guard case .failure(.badOption(.previewsMissing)) = told else {
          return XCTFail("\(String(describing: told))")
        }
      }
    }
  }
#endif
