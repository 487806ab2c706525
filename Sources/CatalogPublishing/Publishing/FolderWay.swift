import SyncEssentials
import SyncText

/// The way from the directory that a catalog lies in to the folder that it speaks of.
struct FolderWay {
  let up: Int
  /// And then down, by these names.
  let down: [String]

  /// The way between two paths, links in them followed.
  init(from directory: String, to folder: String) {
    let (start, end) = (Self.parts(of: directory), Self.parts(of: folder))
    let shared = zip(start, end).prefix { $0 == $1 }.count
    up = start.count - shared
    down = Array(end.dropFirst(shared))
  }

  /// Whether one of the two lies below the other: then who serves both serves them as they lie.
  var isServedAlike: Bool { up == 0 || down.isEmpty }

  /// The way as a URL relative to the catalog; `nil` where there is none to go.
  var reference: String? {
    guard up > 0 || !down.isEmpty else { return nil }
    let names = down.map { PercentEncoding.encode(path: Array($0.utf8)) + "/" }
    return String(repeating: "../", count: up) + (up == 0 ? "./" : "") + names.joined()
  }

  private static func parts(of path: String) -> [String] {
    URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().pathComponents
  }
}
