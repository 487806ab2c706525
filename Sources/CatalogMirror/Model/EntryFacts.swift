import SyncText

/// What is known of an entry, in few bytes, since a listing may hold millions: what most entries
/// have stands here, and what few have is somewhere else.
struct EntryFacts: Hashable {
  private var name: CatalogKey
  private var rest: Rest
  private var bytes: Int64 = 0
  private var seconds: Double = 0
  private var source = LineDigest.zeros
  private var state: ItemVersion
  private var packed = PackPlace(pack: 0, offset: 0)
  private var known: Known = []

  init(key: CatalogKey, place: EntryPlace, version: ItemVersion) {
    name = key
    rest = .place(place)
    state = version
  }

  private struct Known: OptionSet {
    var rawValue: UInt8

    static let size = Known(rawValue: 1)
    static let modified = Known(rawValue: 2)
    static let line = Known(rawValue: 4)
    /// The digest of the bytes is the one that is the version.
    static let digest = Known(rawValue: 8)
    static let pack = Known(rawValue: 16)

    mutating func set(_ member: Known, to isKnown: Bool) {
      if isKnown { insert(member) } else { remove(member) }
    }
  }

  /// In one word: of most entries there is no more to say than where the bytes are.
  private enum Rest {
    case place(EntryPlace)
    case more(Box)

    final class Box: Sendable {
      let place: EntryPlace
      let facts: RareFacts

      init(_ place: EntryPlace, _ facts: RareFacts) {
        self.place = place
        self.facts = facts
      }
    }
  }

  var key: CatalogKey {
    get { name }
    set {
      // The bytes stay where they are.
      if place.isOwn { place = .listed(locators) }
      name = newValue
    }
  }

  /// Gives it another key, by which the same addresses are had from this place.
  mutating func move(to key: CatalogKey, in place: EntryPlace) {
    (name, self.place) = (key, place)
  }

  private(set) var place: EntryPlace {
    get {
      switch rest {
      case .place(let place): place
      case .more(let box): box.place
      }
    }
    set { rest = rare.map { .more(Rest.Box(newValue, $0)) } ?? .place(newValue) }
  }

  var locators: [String] {
    get { place.locators(of: name) }
    set { place = .listed(newValue) }
  }

  var size: Int64? {
    get { known.contains(.size) ? bytes : nil }
    set {
      bytes = newValue ?? 0
      known.set(.size, to: newValue != nil)
    }
  }

  var modified: Double? {
    get { known.contains(.modified) ? seconds : nil }
    set {
      seconds = newValue ?? 0
      known.set(.modified, to: newValue != nil)
    }
  }

  var line: LineDigest? {
    get { known.contains(.line) ? source : nil }
    set {
      source = newValue ?? .zeros
      known.set(.line, to: newValue != nil)
    }
  }

  /// No part of what the entry is: with it and without, two are equal.
  var pack: PackPlace? {
    get { known.contains(.pack) ? packed : nil }
    set {
      packed = newValue ?? PackPlace(pack: 0, offset: 0)
      known.set(.pack, to: newValue != nil)
    }
  }

  var version: ItemVersion {
    get { state }
    set {
      let digest = sha256
      state = newValue
      sha256 = digest
    }
  }

  var sha256: SHA256Digest? {
    get {
      if known.contains(.digest), case .digest(let digest) = state { return digest }
      return rare?.sha256
    }
    set {
      let isVersion = newValue.map { state == .digest($0) } ?? false
      known.set(.digest, to: isVersion)
      let other = isVersion ? nil : newValue
      if rare?.sha256 != other { more.sha256 = other }
    }
  }

  /// What few entries have; `nil` where there is nothing of it.
  var rare: RareFacts? {
    if case .more(let box) = rest { box.facts } else { nil }
  }

  /// The same, to be changed.
  var more: RareFacts {
    get { rare ?? RareFacts() }
    set {
      let place = place
      rest = newValue == RareFacts() ? .place(place) : .more(Rest.Box(place, newValue))
    }
  }

  var children: [Mirror.Child] {
    [
      ("key", key), ("locators", locators), ("version", version), ("size", size as Any),
      ("sha256", sha256 as Any), ("modified", modified as Any), ("line", line as Any),
    ] + Mirror(reflecting: more).children.filter { $0.label != "sha256" }
      + (pack.map { [("pack", $0)] } ?? [])
  }

  static func == (left: EntryFacts, right: EntryFacts) -> Bool {
    left.name == right.name && left.state == right.state
      && left.known.subtracting(.pack) == right.known.subtracting(.pack)
      && left.bytes == right.bytes && left.seconds == right.seconds && left.source == right.source
      && left.rare == right.rare
      && left.place.isSame(as: right.place, of: left.name)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(state)
    hasher.combine(size)
  }
}

enum EntryPlace: Sendable {
  /// Where its key says, in this directory. The key is a plain path.
  case own(Directory)
  /// At these addresses.
  case listed([String])

  /// The address of a directory, with a slash at its end: one for all entries that lie in it.
  final class Directory: Sendable {
    let address: String

    init(_ address: String) {
      self.address = address
    }
  }

  /// A directory whose path comes before the keys of its entries, as seen from the one above all:
  /// one address for all pages would stand where each entry had one of its own.
  struct MovedDirectory {
    /// With a slash at its end.
    let path: [UInt8]
    private let isPlain: Bool
    private var last: (from: Directory, to: Directory)?

    init(_ path: [UInt8]) {
      self.path = path
      isPlain = URLReference.isPlainPath(Array(path.dropLast()))
    }

    /// The same place for an entry whose key, so far this one, is put behind the path.
    mutating func place(of place: EntryPlace, _ key: CatalogKey) -> EntryPlace {
      guard case .own(let directory) = place else { return place }
      if let last, last.from === directory { return .own(last.to) }
      guard isPlain, directory.address.utf8.suffix(path.count).elementsEqual(path) else {
        return .listed(place.locators(of: key))
      }
      let above = Directory(String(directory.address.dropLast(path.count)))
      last = (directory, above)
      return .own(above)
    }
  }

  var isOwn: Bool { if case .own = self { true } else { false } }

  func locators(of key: CatalogKey) -> [String] {
    switch self {
    case .own(let directory): [directory.address + String(decoding: key.bytes, as: UTF8.self)]
    case .listed(let locators): locators
    }
  }

  /// The directory in which an entry of this key lies where the key says, that other one if its
  /// address is the same; `nil` where it lies elsewhere too, or the key is encoded.
  func directory(of key: CatalogKey, like other: Directory?) -> Directory? {
    switch self {
    case .own(let directory): return directory
    case .listed(let locators):
      guard locators.count == 1, let address = locators.first?.utf8,
        address.count > key.bytes.count, address.suffix(key.bytes.count).elementsEqual(key.bytes),
        URLReference.isPlainPath(key.bytes)
      else { return nil }
      let above = address.dropLast(key.bytes.count)
      guard above.last == UInt8(ascii: "/") else { return nil }
      if let other, other.address.utf8.elementsEqual(above) { return other }
      return Directory(String(decoding: above, as: UTF8.self))
    }
  }

  /// Whether an entry of this key has the same addresses in another place.
  func isSame(as other: EntryPlace, of key: CatalogKey) -> Bool {
    if case .own(let one) = self, case .own(let two) = other {
      return one === two || one.address == two.address
    }
    return locators(of: key) == other.locators(of: key)
  }
}

/// What only few entries have.
struct RareFacts: Hashable {
  var estimatedSize: Int64?
  /// The digest of the bytes, where it isn't the version.
  var sha256: SHA256Digest?
  var checks: [ContentDigest] = []
  var order = 0
  var title: String?
  var preview: CatalogEntry.Preview?
  var extra: String?
}

extension Int64 {
  /// Whether a length is what this rounded size stands for, within the ways to round: an eighth, or
  /// exactly where it is told to the byte.
  func roundsWell(_ length: Int64) -> Bool {
    let difference = Swift.max(length, self) - Swift.min(length, self)
    return difference <= (self < 1_000 ? 0 : self / 8)
  }
}
