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

  /// What was found, by what it is.
  struct Assignment {
    /// The previews, then the entries in the byte order of their keys, then previews of nothing.
    var files: [FolderWalk.Found] = []
    /// How many of them the catalog lists.
    var listed = 0
    /// Of each preview, which entry it is of.
    var owners: [Int] = []

    /// The previews of nothing.
    var orphans: [PublishReport.Skipped] {
      files[listed...].map { .init(name: $0.path.description, reason: .previewOfNothing) }
    }

    /// The entries with their previews, of the files in this order.
    func entries(of files: [PublishedFile]) -> [PublishedEntry] {
      var entries = files[owners.count..<listed].map { PublishedEntry(file: $0) }
      for (place, owner) in owners.enumerated() { entries[owner].preview = files[place] }
      return entries
    }
  }

  /// Tells previews from entries.
  func assign(_ found: [FolderWalk.Found]) -> Assignment {
    var assignment = Assignment()
    var (entries, previews) = ([], []) as ([FolderWalk.Found], [FolderWalk.Found])
    for file in found.sorted(by: { $0.path.key < $1.path.key }) {
      if let prefix, file.path.bytes.starts(with: prefix) {
        previews.append(file)
      } else {
        entries.append(file)
      }
    }
    var orphans: [FolderWalk.Found] = []
    if !previews.isEmpty {
      var places = Dictionary(
        uniqueKeysWithValues: entries.enumerated().map { ($1.path.bytes, $0) })
      for preview in previews {
        // The first one of an entry is its preview.
        if let key = owner(of: preview), let place = places.removeValue(forKey: key) {
          assignment.files.append(preview)
          assignment.owners.append(place)
        } else {
          orphans.append(preview)
        }
      }
    }
    assignment.files += entries
    assignment.listed = assignment.files.count
    assignment.files += orphans
    return assignment
  }

  /// The key of the entry that a preview is of, by its name.
  private func owner(of preview: FolderWalk.Found) -> [UInt8]? {
    let below = preview.path.bytes.dropFirst(prefix?.count ?? 0)
    guard let dot = below.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    return Array(below[..<dot])
  }
}
