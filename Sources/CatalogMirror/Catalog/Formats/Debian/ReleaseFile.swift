import SyncText

/// What a `Release` file says of a repository (Debian's wiki, "DebianRepository/Format", section
/// "Release files").
struct ReleaseFile {
  struct File: Equatable {
    var path: [UInt8]
    var size: Int64
    var sha256: SHA256Digest
    /// In hexadecimal digits, where the `Release` has it.
    var sha512: String?
  }

  let files: [File]
  /// Whether each file of a list is also there under the name of its digest.
  let offersNamesByDigest: Bool
  /// When it was made and until when it may be taken, in seconds since 1970; `nil` where it doesn't
  /// say.
  let (date, validUntil): (Int64?, Int64?)
  /// Which of these it has and nobody can read, and what stands there.
  let unreadableDate: (field: String, value: String)?
  /// Whether there are files of their own for what is for all architectures, and whether those are
  /// lists of packages, too. A client asks for them whatever its own architecture is.
  private let separatesAll: (files: Bool, packages: Bool)

  /// `nil` for text that isn't a `Release` file, or not all of one.
  init?(_ text: SignedText) {
    var control = Self.control(of: text)
    guard text.endsWithNewline, let paragraph = control.paragraph(), control.paragraph() == nil,
      control.brokenLine == nil, let rows = paragraph.rows("SHA256"),
      let files = Self.files(in: rows, paragraph.rows("SHA512") ?? [])
    else { return nil }
    // Each list names the same files: one that was cut has fewer.
    for other in ["MD5Sum", "SHA1", "SHA512"] as [StaticString] {
      guard paragraph.rows(other).map({ $0.count == rows.count }) ?? true else { return nil }
    }
    self.files = files
    date = Self.date(paragraph, "Date")
    validUntil = Self.date(paragraph, "Valid-Until")
    unreadableDate = (["Valid-Until", "Date"] as [StaticString]).first {
      paragraph[$0] != nil && Self.date(paragraph, $0) == nil
    }.map { ("\($0)", paragraph.text($0) ?? "") }
    offersNamesByDigest = paragraph.text("Acquire-By-Hash") == "yes"
    let words = { (name: StaticString) in
      paragraph.text(name)?.split(whereSeparator: \.isWhitespace) ?? []
    }
    let architectures = words("Architectures")
    let separates = architectures.isEmpty || architectures.contains("all")
    separatesAll = (
      separates, separates && !words("No-Support-for-Architecture-all").contains("Packages")
    )
  }

  /// What is wrong with a body that is no whole `Release` file; `nil` where it looks like none.
  static func problem(in body: CatalogBody) -> CatalogError.Finding? {
    let bytes = body.bytes[body.start...]
    guard let text = SignedText(bytes) else { return .cutPage }
    let has = { (field: String) in text.lines.contains { $0.starts(with: (field + ":").utf8) } }
    guard ["Suite", "Codename", "MD5Sum", "SHA1", "SHA256"].contains(where: has) else { return nil }
    if !text.endsWithNewline { return .cutPage }
    var control = control(of: text)
    let first = control.paragraph()
    while control.paragraph() != nil {}
    if let line = control.brokenLine { return .line(line) }
    guard let rows = first?.rows("SHA256") else {
      return has("SHA256") ? .cutPage : .noStrongDigests
    }
    return files(in: rows, first?.rows("SHA512") ?? []) == nil ? .badRow("SHA256") : .cutPage
  }

  private static func control(of text: SignedText) -> ControlText {
    ControlText(Array(text.lines.joined(separator: [UInt8(ascii: "\n")]))[...])
  }

  /// The files of the rows, each once; `nil` where two rows contradict, or one is none.
  private static func files(
    in rows: [[ArraySlice<UInt8>]], _ longer: [[ArraySlice<UInt8>]]
  ) -> [File]? {
    var sha512: [ArraySlice<UInt8>: String] = [:]
    for row in longer where row.count == 3 {
      guard ContentDigest(.sha512, hexadecimal: row[0]) != nil else { return nil }
      let digits = String(decoding: row[0], as: UTF8.self).lowercased()
      guard sha512.updateValue(digits, forKey: row[2]) ?? digits == digits else { return nil }
    }
    var (files, known) = ([File](), [[UInt8]: File]())
    for row in rows {
      guard row.count == 3, let size = Int64(String(decoding: row[1], as: UTF8.self)), size >= 0,
        let digest = ContentDigest(.sha256, hexadecimal: row[0])?.sha256
      else { return nil }
      let path = Array(row[2].starts(with: "./".utf8) ? row[2].dropFirst(2) : row[2])
      let file = File(path: path, size: size, sha256: digest, sha512: sha512[row[2]])
      guard let before = known.updateValue(file, forKey: path) else {
        files.append(file)
        continue
      }
      guard before == file else { return nil }
    }
    return files
  }

  private static func date(_ paragraph: ControlText.Paragraph, _ name: StaticString) -> Int64? {
    paragraph.text(name).flatMap(CivilTime.mail).flatMap { Int64(exactly: $0.rounded(.down)) }
  }

  /// An index of the repository, in each form in which it is listed: plain, packed.
  struct Index {
    var place: IndexPlace
    var forms: [File]

    func form(_ packing: String) -> File? { forms.first { $0.path == place.path(packing) } }

    var plain: File? { form("") }
    var packed: [File] { forms.filter { $0.path.count > place.stem.count } }
  }

  /// The indices that clients of the choice ask for, in their order.
  func indices(of choice: RepositoryChoice) -> [Index] {
    var order: [[UInt8]] = []
    var found: [[UInt8]: Index] = [:]
    for file in files {
      guard let place = IndexPlace(file.path), isAskedFor(place, by: choice) else { continue }
      if found[place.stem] == nil { order.append(place.stem) }
      found[place.stem, default: Index(place: place, forms: [])].forms.append(file)
    }
    return order.compactMap { found[$0] }
  }

  private func isAskedFor(_ place: IndexPlace, by choice: RepositoryChoice) -> Bool {
    if choice.holds(place) { return true }
    guard place.architecture == "all",
      place.isOfPackages ? separatesAll.packages : separatesAll.files
    else { return false }
    var all = choice
    all.architectures = []
    return all.holds(place)
  }
}

/// Where an index of a repository lies, as seen from the suite, and what it is of: of what apt asks
/// for by itself, or once a program that needs it is installed (apt's configuration
/// `Acquire::IndexTargets`). Sources, images of the installer and the `Release` of each list are
/// none.
struct IndexPlace {
  /// The path without the ending of a packed file.
  let stem: [UInt8]
  /// For which machines it is; `nil` where for any.
  let architecture: String?
  /// Of which component, by both of its names where it is of the installer's packages; `nil` where
  /// of all.
  let components: Set<String>?
  /// Whether it is a list of packages, or of what has changed in one.
  let isOfPackages: Bool
  /// Whether it says what has changed in another index since its earlier states
  /// (`Packages.diff/Index`).
  let isOfDifferences: Bool

  private static let packings = ["gz", "xz", "bz2", "lzma", "lz4", "zst"]

  init?(_ path: [UInt8]) {
    let text = String(decoding: path, as: UTF8.self)
    let packing = Self.packing(of: path)
    let ending = packing.isEmpty ? 0 : packing.utf8.count + 1
    stem = Array(path.dropLast(ending))
    let differs = ".diff/Index"
    isOfDifferences = text.hasSuffix(differs)
    let whole = text.utf8.dropLast(isOfDifferences ? differs.utf8.count : ending)
    var directories = String(decoding: Array(whole), as: UTF8.self).split(separator: "/")
    guard let name = directories.popLast().map(String.init),
      let subject = Self.subject(of: name, in: directories.last ?? "")
    else { return nil }
    (isOfPackages, architecture) = subject
    // Contents lie beside the directories of their component.
    if !name.hasPrefix("Contents-") { _ = directories.popLast() }
    let isDivided = !directories.isEmpty && !(isOfPackages && architecture == nil)
    var names: Set = [directories.joined(separator: "/")]
    if directories.last == "debian-installer" {
      names.insert(directories.dropLast().joined(separator: "/"))
    }
    components = isDivided ? names : nil
  }

  /// Whether it is a list of packages, and for which architecture; `nil` for what is no index.
  private static func subject(
    of name: String, in directory: Substring
  ) -> (isOfPackages: Bool, architecture: String?)? {
    func rest(_ prefix: String, of name: String = name) -> String? {
      name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
    }
    switch directory {
    case "i18n" where name.hasPrefix("Translation-"): return (false, nil)
    case "dep11" where name.hasPrefix("icons-"): return (false, nil)
    case "dep11":
      guard name.hasSuffix(".yml") else { return nil }
      return rest("Components-").map { (false, String($0.dropLast(4))) }
    case "cnf": return rest("Commands-").map { (false, $0) }
    default: break
    }
    if name == "Packages" { return (true, rest("binary-", of: String(directory))) }
    // In a flat repository, a translation is named by its language alone.
    if directory.isEmpty, name.hasPrefix("Translation-") || isLanguage(name) { return (false, nil) }
    guard let architecture = rest("Contents-udeb-") ?? rest("Contents-"), architecture != "source"
    else { return nil }
    return (false, architecture)
  }

  private static func isLanguage(_ name: String) -> Bool {
    name.wholeMatch(of: /[a-z]{2,3}(_[A-Z]{2})?/) != nil
  }

  /// Whether it names the packages themselves.
  var isList: Bool { isOfPackages && !isOfDifferences }

  /// The path of a form; of the plain one where the packing is empty.
  func path(_ packing: String) -> [UInt8] {
    packing.isEmpty ? stem : stem + Array(".\(packing)".utf8)
  }

  /// The ending of a packed file; empty where it is none.
  static func packing(of path: [UInt8]) -> String {
    packings.first { path.suffix($0.utf8.count + 1).elementsEqual(".\($0)".utf8) } ?? ""
  }
}

struct ArchivePlace {
  /// The archive's root, to which paths of packages are relative: a URL that ends with a slash.
  let root: URLReference
  /// What stands before the keys of the suite's files: `dists/stable/`, or nothing in a flat
  /// repository.
  let suite: String

  /// The place of a `Release` or `InRelease` file; `nil` when its path can't be taken apart.
  init?(release url: URLReference) {
    let path = url.path
    guard let slash = path.lastIndex(of: "/") else { return nil }
    let directory = path[...slash]
    let dists = directory.ranges(of: "/dists/").last
    let start = dists.map { path.index(after: $0.lowerBound) } ?? path.index(after: slash)
    let below = String(directory[start...])
    guard let name = PercentEncoding.decode(below),
      let suite = String(validating: name, as: UTF8.self),
      let here = URLReference("./")
    else { return nil }
    self.suite = suite
    var root = here.resolved(against: url.withoutQuery)
    for _ in below.split(separator: "/") {
      guard let up = URLReference("../") else { return nil }
      root = up.resolved(against: root)
    }
    self.root = root
  }

  /// The URL of a file at a path below the root, without empty steps.
  func url(of path: [UInt8]) -> URLReference? {
    URLReference("./" + PercentEncoding.encode(path: path))?.resolved(against: root)
  }
}
