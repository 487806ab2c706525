/// The folders of a target as floors: which of them uses types that another one declares.
struct FloorPlan {
  /// Folders each of which reaches every other one, so that none stands above another.
  struct Circle: Equatable, CustomStringConvertible {
    var folders: [String]
    /// One line for each arrow between two of them.
    var arrows: [String]

    var description: String {
      ([folders.joined(separator: ", ")] + arrows).joined(separator: "\n  ")
    }
  }

  /// What stands in no folder.
  static let root = "(root)"

  /// By the folder that uses and the folder that declares: `file uses type`.
  private var uses: [String: [String: [String]]] = [:]

  /// - Parameter files: By path within the target.
  init(_ files: [String: SourceNames]) {
    var homes: [String: Set<String>] = [:]
    for (path, names) in files {
      for type in names.declared { homes[type, default: []].insert(Self.folder(of: path)) }
    }
    // A name that two folders declare tells nothing.
    let home = homes.compactMapValues { $0.count == 1 ? $0.first : nil }
    for (path, names) in files.sorted(by: { $0.key < $1.key }) {
      let folder = Self.folder(of: path)
      for type in names.used.sorted() {
        guard let other = home[type], other != folder else { continue }
        uses[folder, default: [:]][other, default: []].append("\(path) uses \(type)")
      }
    }
  }

  private static func folder(of path: String) -> String {
    let parts = path.split(separator: "/")
    return parts.count > 1 ? String(parts[0]) : root
  }

  var circles: [Circle] {
    let reached = Dictionary(uniqueKeysWithValues: uses.keys.map { ($0, reach(from: $0)) })
    var circles: [Circle] = []
    var seen: Set<String> = []
    for folder in uses.keys.sorted() where !seen.contains(folder) {
      let mutual = (reached[folder] ?? []).filter { reached[$0]?.contains(folder) ?? false }
      guard !mutual.isEmpty else { continue }
      seen.formUnion(mutual)
      circles.append(Circle(folders: mutual.sorted(), arrows: arrows(among: mutual)))
    }
    return circles
  }

  private func reach(from folder: String) -> Set<String> {
    var found: Set<String> = []
    var open = [folder]
    while let next = open.popLast() {
      open += (uses[next] ?? [:]).keys.filter { found.insert($0).inserted }
    }
    return found
  }

  private func arrows(among folders: Set<String>) -> [String] {
    folders.sorted().flatMap { from in
      folders.sorted().compactMap { to in
        guard let uses = uses[from]?[to] else { return nil }
        let more = uses.count > 3 ? [", and \(uses.count - 3) more"] : []
        return "\(from) → \(to): " + uses.prefix(3).joined(separator: ", ") + more.joined()
      }
    }
  }
}
