import CatalogMirror
import SyncFiles
import SyncFolder
import SyncText

/// Which files are previews, and of what: that of `a/b.jpg` is `a/b.jpg.<extension>` in the
/// directory of previews.
struct PublishedPreviews {
  /// The bytes that a preview's path begins with; `nil` where there are no previews.
  private let prefix: [UInt8]?

  /// The previews in a directory below an open folder.
  /// - Throws: ``PublishError`` when there is no such directory.
  init(in directory: String?, below root: Descriptor) throws(PublishError) {
    guard let directory else {
      prefix = nil
      return
    }
    guard let path = try? RelativePath(CatalogKey(directory)) else {
      throw .badOption(.previews(directory))
    }
    var here = root
    for name in path.components {
      do throws(Errno) {
        here = try here.open(name: name, [.reading, .directory])
      } catch .absent {
        throw .badOption(.previewsMissing(directory))
      } catch .notADirectory, .link {
        throw .badOption(.previewsNoDirectory(directory))
      } catch {
        throw .system(action: "open", path: path.description, reason: error.text)
      }
    }
    prefix = path.bytes + [UInt8(ascii: "/")]
  }

  /// The entries in the byte order of their keys, with their previews, and the previews of nothing.
  func assign(_ files: [PublishedFile]) -> ([PublishedEntry], [PublishReport.Skipped]) {
    var (entries, previews): ([PublishedEntry], [PublishedFile]) = ([], [])
    for file in files.sorted(by: { $0.path.key < $1.path.key }) {
      if let prefix, file.path.bytes.starts(with: prefix) {
        previews.append(file)
      } else {
        entries.append(PublishedEntry(file: file))
      }
    }
    guard !previews.isEmpty else { return (entries, []) }
    let places = Dictionary(
      uniqueKeysWithValues: entries.enumerated().map { ($1.file.path.bytes, $0) })
    var orphans: [PublishReport.Skipped] = []
    for preview in previews {
      if let place = owner(of: preview, among: places), entries[place].preview == nil {
        entries[place].preview = preview
      } else {
        orphans.append(.init(name: preview.path.description, reason: .previewOfNothing))
      }
    }
    return (entries, orphans)
  }

  private func owner(of preview: PublishedFile, among places: [[UInt8]: Int]) -> Int? {
    let below = preview.path.bytes.dropFirst(prefix?.count ?? 0)
    guard let dot = below.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    return places[Array(below[..<dot])]
  }
}
