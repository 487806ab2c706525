private import SyncText

/// What was seen of the objects at one place of a payload: `[].author`, or `[].notes[].tags[]`.
struct OutlinePlace: Sendable {
  /// How many objects stand there.
  var count = 0
  /// The numbers of their members, in the order in which the names came, and by the names.
  var members: [Int] = []
  var numbers: [[UInt8]: Int] = [:]
  /// Whether there are more names than ``mostNames``.
  var hasTooManyNames = false
  /// How many have a key: by the names of the rule by which they are told apart, or, where all of
  /// these are the key, by the first.
  var keyCounts: [Int]
  let rule: KeyNames.Rule
  /// Those names of the rule that lead into objects, with their places in it.
  let deepKeys: [(rank: Int, parts: [[UInt8]])]

  /// How many names are told apart: more than a table has columns.
  static let mostNames = 1_500

  init(_ rule: KeyNames.Rule) {
    self.rule = rule
    keyCounts = rule.names.map { _ in 0 }
    deepKeys = rule.names.map(KeyNames.parts).enumerated().filter { $1.count > 1 }
      .map { ($0, $1) }
  }

  /// How many have a key.
  var keyed: Int { keyCounts.reduce(0, +) }

  /// The names under which some have their key.
  var keyNames: [[UInt8]] { zip(rule.names, keyCounts).filter { $1 > 0 }.map(\.0) }

  /// The name under which all of them have it.
  var keyName: [UInt8]? { keyed == count && keyNames.count == 1 ? keyNames[0] : nil }
}

/// What was seen of the members of one name at one place.
struct SeenMember: Sendable {
  /// The name's bytes, escapes resolved, and in one form for all spellings.
  let name: [UInt8]
  let canonical: [UInt8]
  /// Its place among the names of keys.
  let keyRank: Int?
  let digest: UInt64
  /// Whether its name is one of a key of another object.
  let isReference: Bool
  /// The member of its place that may hold its object's key: `user_id` of `user`.
  var beside: Int?
  var facts = ValueFacts()
  /// The places of the objects that are its values, and of those in its arrays.
  var object: Int?
  var elements: Int?
  /// How many elements of these arrays are texts or integers, which may be keys, and how many can
  /// neither be rows nor keys.
  var plainElements = 0
  var oddElements = 0
  /// Whether an array has one key twice.
  var hasTwins = false
  /// Whether objects came that nothing is known of, since there are too many places.
  var isCut = false
  /// How often it was an object whose key stands beside it, too: `user.id` as `user_id`.
  var keysBeside = 0
  /// How often it was the key of the object in whose array its own object stands.
  var keysOfParent = 0

  init(_ name: [UInt8], _ spelling: Spelling, _ rule: KeyNames.Rule? = nil) {
    self.name = name
    digest = JSONTape.digest(of: name[...])
    canonical = spelling.canonical(name)
    isReference = canonical.suffix(3).elementsEqual("_id".utf8)
    keyRank = rule?.names.firstIndex(of: canonical)
  }

  /// The place of the objects under it; of arrays, those in them.
  var inner: Int? { facts.arrays > 0 ? elements : object }

  /// The places of all objects under it.
  var places: [Int] { [object, elements].compactMap { $0 } }

  /// Whether all of its values that are neither arrays nor objects may be keys.
  var mayNameKeys: Bool {
    facts.kinds.isSubset(of: ValueFacts.Kinds.texts.union([.integer, .wideInteger, .nested]))
  }

  /// How many values are neither arrays nor objects.
  var scalars: Int { facts.values - facts.objects - facts.arrays }

  /// Whether its name is that of the key of another one's object.
  func isReference(to other: SeenMember) -> Bool {
    isReference && canonical.count == other.canonical.count + 3
      && canonical.starts(with: other.canonical)
  }

  /// Takes what was seen of it elsewhere.
  mutating func add(_ other: SeenMember) {
    facts.add(other.facts)
    plainElements += other.plainElements
    oddElements += other.oddElements
    keysBeside += other.keysBeside
    keysOfParent += other.keysOfParent
    hasTwins = hasTwins || other.hasTwins
  }
}
