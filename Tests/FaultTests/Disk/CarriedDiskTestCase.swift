import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// A row of the matrix on a disk as people carry them around, which is the folder.
class CarriedDiskTestCase: DiskTestCase {
  private var carried: CarriedDisk?

  /// Besides all that can happen to a folder: names as long as eCryptfs takes, in a folder and
  /// alone, and one that only the mirror's own names could be too long with.
  override var world: ReferenceWorld { .longNames }

  override func tearDownWithError() throws {
    try carried?.close()
    try super.tearDownWithError()
  }

  func mount(_ kind: CarriedDisk.Kind) throws {
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: false)
    carried = try CarriedDisk(kind, at: copy, records: base.appending(path: "records"))
  }

  /// The folder is where the disk is mounted.
  override func startAnew() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: copy.path) {
      try FileManager.default.removeItem(at: copy.appending(path: name))
    }
  }
}

extension ReferenceWorld {
  /// As ``small``, and items with long names that change.
  static let longNames = ReferenceWorld(
    items: [
      .first: (small.items[.first] ?? [:]).merging(long("in the first state")) { $1 },
      .second: (small.items[.second] ?? [:]).merging(long("in the second")) { $1 },
    ],
    previews: small.previews, bare: small.bare)

  private static func long(_ text: String) -> [String: Data] {
    let letters = { String(repeating: "n", count: $0) }
    let names = [letters(143), "d/" + letters(120), letters(100) + "/100% " + letters(90)]
    return Dictionary(uniqueKeysWithValues: names.map { ($0, Data("\($0) \(text)".utf8)) })
  }
}
