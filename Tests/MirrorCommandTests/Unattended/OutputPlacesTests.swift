import Console
import Foundation
import TestSupport
import XCTest

@testable import mirror

/// What the program writes on its own account never lies among the files that it works on.
final class OutputPlacesTests: XCTestCase {
  private var base = ""

  override func setUpWithError() throws {
    base = try temporaryFolder().path
    for folder in ["copy/sub", "copy2", "other/.mirror"] {
      try makeFolder(at: "\(base)/\(folder)")
    }
    try Data().write(to: URL(filePath: "\(base)/other/.mirror/lock"))
    for (link, target) in [
      ("link", "copy"), ("copy2/log", "../copy/log"), ("to-sub", "copy/sub"),
      ("to-new", "copy/not-there"),
    ] {
      try makeLink(at: "\(base)/\(link)", to: target)
    }
    try Data().write(to: URL(filePath: "\(base)/copy/log"))
  }

  private func problem(_ path: String, in folder: String) -> OutputPlaces.Problem? {
    var invocation = Invocation(command: .sync)
    invocation.logFile = "\(base)/\(path)"
    return OutputPlaces(folders: ["\(base)/\(folder)"]).problem(of: invocation)
  }

  func testALogAmongTheFilesOfAMirrorIsRefusedWhateverLinksLeadThere() {
    for (path, folder) in [
      ("copy/log", "copy"), ("copy/new", "copy"), ("copy/sub/log", "copy"), ("link/log", "copy"),
      ("copy/log", "link"), ("copy2/log", "copy"), ("to-sub/log", "copy"), ("copy/./log", "copy/"),
      ("to-new", "copy"),
      ("copy/../copy/log", "copy"),
    ] {
      let problem = problem(path, in: folder)
      XCTAssertEqual(problem?.option, "log-file", "\(path) in \(folder)")
      XCTAssertTrue(problem?.sentence.contains("among the files") ?? false, "\(path)")
    }
  }

  func testALogInWhatAnyMirrorKeepsForItselfIsRefused() {
    for path in ["other/.mirror/log", "other/.mirror/sub/log"] {
      let sentence = problem(path, in: "copy")?.sentence ?? ""
      XCTAssertTrue(sentence.contains(".mirror of \(base)/other"), sentence)
    }
  }

  func testALogElsewhereIsNot() {
    for path in ["log", "copy2/other", "other/log", "copy.log", "missing/log"] {
      XCTAssertNil(problem(path, in: "copy"), path)
      XCTAssertNil(problem(path, in: "not-there"), path)
    }
  }

  func testMetricsAreLookedAtAsWell() {
    var invocation = Invocation(command: .sync)
    invocation.unattended.metrics = "\(base)/copy/mirror.prom"
    let problem = OutputPlaces(folders: ["\(base)/copy"]).problem(of: invocation)
    XCTAssertEqual(problem?.option, "metrics")
  }
}
