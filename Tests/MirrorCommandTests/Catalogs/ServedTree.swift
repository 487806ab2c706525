import Foundation
import TestSupport
import XCTest

/// What nginx serves of a folder: links followed, names that begin with a dot left out.
struct ServedTree {
  /// Where the bytes of each file are, by path.
  private(set) var files: [String: URL] = [:]
  /// Links that lead nowhere: listed, and not there.
  private(set) var dangling: Set<String> = []
  /// The paths of the files that are links to elsewhere.
  private(set) var links: Set<String> = []
  private var directoryPaths: Set<String> = [""]

  init(_ root: URL) throws {
    try add(root, as: "")
  }

  /// How many directories there are, the root included.
  var directories: Int { directoryPaths.count }

  func isDirectory(_ path: String) -> Bool { directoryPaths.contains(path) }

  private mutating func add(_ folder: URL, as path: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where !name.hasPrefix(".") {
      let inner = path.isEmpty ? name : "\(path)/\(name)"
      let file = folder.appending(path: name).resolvingSymlinksInPath()
      var isDirectory: ObjCBool = false
      if !FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory) {
        dangling.insert(inner)
      } else if isDirectory.boolValue {
        directoryPaths.insert(inner)
        try add(file, as: inner)
      } else {
        let entry = folder.appending(path: name)
        if try entry.resourceValues(forKeys: [.isSymbolicLinkKey]).isSymbolicLink == true {
          links.insert(inner)
        }
        files[inner] = file
      }
    }
  }
}

extension ServedTree {
  /// A part of this system's documentation, linked in a folder: what all servers list alike, which
  /// is nothing with a link that leads nowhere, with a page of its own in place of a list, or with
  /// a name that begins with a dot.
  static func ofSystem(linkedIn folder: URL) throws -> ServedTree {
    let all = URL(filePath: "/usr/share/doc")
    let packages = try FileManager.default.contentsOfDirectory(atPath: all.path).sorted()
    for (number, package) in packages.enumerated() where number.isMultiple(of: 8) {
      let origin = all.appending(path: package).resolvingSymlinksInPath()
      let names = FileManager.default.subpaths(atPath: origin.path) ?? []
      let odd = names.contains { name in
        let last = name.split(separator: "/").last ?? ""
        return last.hasPrefix(".") || last.hasPrefix("index.")
      }
      guard !odd, try ServedTree(origin).dangling.isEmpty else { continue }
      try makeLink(at: folder.appending(path: package), to: origin)
    }
    return try ServedTree(folder)
  }

  /// Asserts that a folder holds these files and no others, byte for byte.
  func assertIsHeld(
    in folder: URL, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let found = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { !$0.hasPrefix(".mirror") && !isDirectory($0) }
    XCTAssertEqual(Set(found), Set(files.keys), "other files", file: file, line: line)
    for (path, origin) in files {
      let isEqual = FileManager.default.contentsEqual(
        atPath: origin.path, andPath: folder.appending(path: path).path)
      XCTAssertTrue(isEqual, "\(path) has other bytes", file: file, line: line)
    }
  }
}
