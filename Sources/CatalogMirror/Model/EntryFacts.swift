import SyncText

/// What is known of an entry, in few bytes, since a listing may hold millions: what most entries
/// have stands here, and what few have is somewhere else.
struct EntryFacts {
  /// Where the bytes of an entry are.
  enum Place {
    /// Where its key says, below this address, which ends with a slash. The key is a plain path.
    case own(String)
    /// At these addresses.
    case listed([String])
  }

  /// What of the numbers below is known.
  private struct Known: OptionSet {
    var rawValue: UInt8

    static let size = Known(rawValue: 1)
    static let modified = Known(rawValue: 2)
    static let line = Known(rawValue: 4)
    /// The digest of the bytes is the one that is the version.
    static let digest = Known(rawValue: 8)

    mutating func set(_ member: Known, to isKnown: Bool) {
      if isKnown { insert(member) } else { remove(member) }
    }
  }

  private var name: CatalogKey
  private var place: Place
  private var bytes: Int64 = 0
  private var seconds: Double = 0
  private var source = LineDigest.zeros
  private(set) var rare: RareFacts.Box?
  private var state: ItemVersion
  private var known: Known = []

  init(key: CatalogKey, place: Place, version: ItemVersion) {
    name = key
    self.place = place
    state = version
  }

  var key: CatalogKey {
    get { name }
    set {
      // The bytes stay where they are.
      if case .own = place { place = .listed(locators) }
      name = newValue
    }
  }

  var locators: [String] {
    get {
      switch place {
      case .own(let directory): [directory + String(decoding: name.bytes, as: UTF8.self)]
      case .listed(let locators): locators
      }
    }
    set { place = .listed(newValue) }
  }

  var isWhereItsKeySays: Bool { if case .own = place { true } else { false } }

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
      return rare?.facts.sha256
    }
    set {
      let isVersion = newValue.map { state == .digest($0) } ?? false
      known.set(.digest, to: isVersion)
      let other = isVersion ? nil : newValue
      if rare?.facts.sha256 != other { more.sha256 = other }
    }
  }

  /// What few entries have, to be changed.
  var more: RareFacts {
    get { rare?.facts ?? RareFacts() }
    set { rare = newValue == RareFacts() ? nil : RareFacts.Box(newValue) }
  }

  /// All of it by its names, for people.
  var children: [Mirror.Child] {
    [
      ("key", key), ("locators", locators), ("version", version), ("size", size as Any),
      ("sha256", sha256 as Any), ("modified", modified as Any), ("line", line as Any),
    ] + Mirror(reflecting: more).children.filter { $0.label != "sha256" }
  }
}

extension EntryFacts: Hashable {
  static func == (left: EntryFacts, right: EntryFacts) -> Bool {
    left.name == right.name && left.state == right.state && left.known == right.known
      && left.bytes == right.bytes && left.seconds == right.seconds && left.source == right.source
      && left.rare?.facts == right.rare?.facts && hasSamePlace(left, right)
  }

  /// Two of one name that lie below the same address are in the same place.
  private static func hasSamePlace(_ left: EntryFacts, _ right: EntryFacts) -> Bool {
    if case .own(let one) = left.place, case .own(let other) = right.place {
      return one == other
    }
    return left.locators == right.locators
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(state)
    hasher.combine(size)
  }
}
