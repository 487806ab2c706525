import Foundation
import SyncFolder
import TestSupport
import XCTest

@testable import mirror

/// What a shell is told that asks what may stand in place of a word.
final class CompleteCommandTests: XCTestCase {
  private var base = ""
  private var file: String { base + "/mirrors.ini" }

  override func setUpWithError() throws {
    base = try temporaryFolder().path
    _ = try MirrorFolder.open(path: base + "/copy", mode: .create)
    let quarantine = base + "/copy/.mirror/quarantine/20260131T120000Z"
    for folder in ["docs/old", "pictures"] {
      try makeFolder(at: "\(quarantine)/\(folder)")
    }
    for name in ["docs/a.txt", "docs/old/b.txt", "it's.txt", "pictures/c.png"] {
      try Data("x".utf8).write(to: URL(filePath: "\(quarantine)/\(name)"))
    }
    let text = "[defaults]\nretries = 1\n[gallery]\nnonsense = 1\n[garden]\n[docs and more]\n"
    try Data(text.utf8).write(to: URL(filePath: file))
  }

  private func words(_ words: String..., environment: [String: String] = [:]) async -> [String] {
    await CompleteCommand(words, in: environment.merging(["HOME": base]) { $1 }).words()
  }

  func testNamesOfMirrorsComeFromTheConfiguration() async {
    for command in ["sync", "plan", "status", "verify", "watch"] {
      await assertEqual(words(command, "--config", file, "ga"), ["gallery", "garden"], command)
    }
    await assertEqual(
      words("sync", "--config=\(file)", "gallery", ""), ["garden", "docs and more"])
    await assertEqual(words("sync", "--config", "=", file, "gar"), ["garden"])
    let atHome = await words("sync", "--config", "~/mirrors.ini", "-q", "docs\\ a")
    XCTAssertEqual(atHome, ["docs and more"])
    await assertEqual(words("sync", "gar", environment: ["MIRROR_CONFIG": file]), ["garden"])
  }

  func testKeysComeFromWhatLiesInTheFolderADirectoryAtATime() async {
    for (word, expected) in [
      ("", ["docs/", "it's.txt", "pictures/"]), ("d", ["docs/"]),
      ("docs/", ["docs/a.txt", "docs/old/"]), ("docs/o", ["docs/old/"]), ("x", []),
      ("it\\'", ["it's.txt"]), ("'pict", ["pictures/"]),
    ] {
      await assertEqual(words("restore", base + "/copy", word), expected, word)
    }
  }

  func testWhereNothingIsKnownNothingIsSaid() async {
    for line in [
      ["sync", ""], ["nonsense", ""], [""], [], ["sync", "--nonsense", ""], ["publish", ""],
      ["sync", "--config", "/no/such", ""], ["restore", ""], ["restore", base, ""],
    ] {
      await assertEqual(CompleteCommand(line, in: [:]).words(), [], "\(line)")
    }
    let check = await words("config", "c")
    XCTAssertEqual(check, ["check"])
  }
}
