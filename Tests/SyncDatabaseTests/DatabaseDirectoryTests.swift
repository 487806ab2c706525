#if os(Linux)
  import Foundation
  import SyncDatabase
  import XCTest

  /// SQLite opens the file and its log by their paths, one after the other. Somebody who moved the
  /// directory away in between and left a link had both written where the link led.
  final class DatabaseDirectoryTests: XCTestCase {
    func testTheFileAndItsLogStayInTheDirectoryThatIsHeld() throws {
      let base = URL(filePath: try temporaryDatabasePath()).deletingLastPathComponent()
      let (place, aside, outside) = (
        base.appending(path: "place"), base.appending(path: "aside"), base.appending(path: "out")
      )
      let files = FileManager.default
      for folder in [place, outside] {
        try files.createDirectory(at: folder, withIntermediateDirectories: false)
      }
      let directory = open(place.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      try files.moveItem(at: place, to: aside)
      try files.createSymbolicLink(at: place, withDestinationURL: outside)
      var options = ConnectionOptions()
      options.directory = directory
      var connection: Connection? = try Connection(
        path: place.appending(path: "t.sqlite").path, options: options)
      close(directory)
      try connection?.execute("CREATE TABLE t (x)")
      XCTAssertEqual(try files.contentsOfDirectory(atPath: outside.path), [])
      let made = try Set(files.contentsOfDirectory(atPath: aside.path))
      XCTAssertTrue(made.isSuperset(of: ["t.sqlite", "t.sqlite-wal"]), "\(made)")
      connection = nil
      XCTAssertEqual(try files.contentsOfDirectory(atPath: aside.path), ["t.sqlite"])
    }

    func testALinkInPlaceOfTheFileOrItsLogIsNotFollowed() throws {
      for suffix in ["", "-wal"] {
        let path = try temporaryDatabasePath()
        let folder = URL(filePath: path).deletingLastPathComponent()
        let outside = folder.appending(path: "outside")
        try Data("precious".utf8).write(to: outside)
        try FileManager.default.createSymbolicLink(
          atPath: path + suffix, withDestinationPath: outside.path)
        let directory = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(directory) }
        var options = ConnectionOptions()
        options.directory = directory
        do {
          try Connection(path: path, options: options).execute("CREATE TABLE t (x)")
          // A log beside a file that is new is nobody's, and SQLite removes the link itself.
          XCTAssertEqual(suffix, "-wal")
        } catch {}
        XCTAssertEqual(try Data(contentsOf: outside), Data("precious".utf8), suffix)
      }
    }
  }
#endif
