import Foundation

/// Files to serve, the same on every machine: names, sizes, bytes and dates follow from this value.
struct DataSet {
  /// One file.
  struct File {
    var path: String
    var size: Int
    /// Counts up when the bytes change; with it the date moves on by a day.
    var generation = 0

    /// Bytes that no other file and no other generation begins with.
    func noise() -> Noise { Noise(of: "\(path) \(size) \(generation)") }

    /// Seconds since 1970: whole days, since listings round to minutes.
    var date: Int { 1_577_836_800 + generation * 86_400 }
  }

  /// Also the first component of its URLs.
  var name: String
  /// Counts up when files change.
  private(set) var edition = 0
  var files: [File]
  /// Files that the catalog names as previews of the others.
  var previews: [File] = []

  /// A set of equal files, a hundred to a folder.
  init(name: String, count: Int, size: Int) {
    self.name = name
    files = (0..<count).map { File(path: Self.path($0), size: size) }
  }

  init(name: String, sizes: [Int]) {
    self.name = name
    files = sizes.enumerated().map { File(path: Self.path($0), size: $1) }
  }

  /// The same set after every `step`th file got other bytes of the same number.
  func changing(every step: Int) -> DataSet {
    var changed = self
    changed.edition += 1
    for number in stride(from: step / 2, to: files.count, by: step) {
      changed.files[number].generation += 1
    }
    return changed
  }

  /// The same set with a preview of each file, in a folder `previews` of its own.
  func withPreviews(ofSize size: Int) -> DataSet {
    var richer = self
    richer.previews = files.map { File(path: "previews/\($0.path).webp", size: size) }
    return richer
  }

  var everything: [File] { previews + files }
  var bytes: Int { everything.reduce(0) { $0 + $1.size } }

  /// How many requests a mirror may make beside one for each file: large ones come in parts of
  /// 4 MiB, as many as it finds to be faster.
  var parts: Int { everything.reduce(0) { $0 + ($1.size < 8 << 20 ? 0 : $1.size / (4 << 20)) } }

  /// The folders that hold files, the root ("") among them, each with a closing slash.
  var folders: [String] {
    Array(
      Set(
        everything.map {
          String($0.path[..<($0.path.lastIndex(of: "/") ?? $0.path.startIndex)]) + "/"
        })
    )
    .sorted() + [""]
  }

  static func path(_ number: Int) -> String {
    let folder = number / 100
    return "d\(padded(folder, 4))/f\(padded(number, 6)).bin"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
