private import SyncText

/// What was seen of the objects at one place of a payload: `[].author`, or `[].notes[].tags[]`.
package struct OutlinePlace: Sendable {
  /// How many objects stand there.
  package internal(set) var count = 0
  /// Their members, in the order in which the names came.
  package internal(set) var members: [SeenMember] = []
  /// Whether there are more names than ``mostNames``.
  package internal(set) var hasTooManyNames = false
  /// How many have a key: by the names of the rule by which they are told apart, or, where all of
  /// these are the key, by the first.
  var keyCounts: [Int]
  let rule: KeyNames.Rule
  /// Those names of the rule that lead into objects, with their places in it.
  let deepKeys: [(rank: Int, parts: [[UInt8]])]
  var numbers: [[UInt8]: Int] = [:]
  /// An object's member, and the one that may hold its key: `user` and `user_id`.
  var pairs: [(object: Int, key: Int)] = []

  /// How many names are told apart: more than a table has columns.
  package static let mostNames = 1_500

  init(_ rule: KeyNames.Rule) {
    self.rule = rule
    keyCounts = rule.names.map { _ in 0 }
    deepKeys = rule.names.enumerated().compactMap { rank, name in
      let parts = KeyNames.parts(of: name)
      return parts.count > 1 ? (rank, parts) : nil
    }
  }

  /// How many have a key.
  var keyed: Int { keyCounts.reduce(0, +) }

  /// The names under which some have their key.
  var keyNames: [[UInt8]] { zip(rule.names, keyCounts).filter { $1 > 0 }.map(\.0) }

  /// The name under which all of them have it.
  var keyName: [UInt8]? { keyed == count && keyNames.count == 1 ? keyNames[0] : nil }
}

/// What was seen of the members of one name at one place.
package struct SeenMember: Sendable {
  /// The name's bytes, escapes resolved.
  package let name: [UInt8]
  /// The name in one form for all spellings.
  let canonical: [UInt8]
  /// Its place among the names of keys.
  let keyRank: Int?
  let digest: UInt64
  /// Whether its name is one of a key of another object.
  let isReference: Bool
  package internal(set) var facts = ValueFacts()
  /// The place of the objects that are its values.
  package internal(set) var object: Int?
  /// The place of the objects in arrays that are its values.
  package internal(set) var elements: Int?
  /// How many elements of these arrays are texts or integers, which may be keys.
  package internal(set) var plainElements = 0
  /// How many of them can neither be rows nor keys.
  package internal(set) var oddElements = 0
  /// Whether an array has one key twice.
  package internal(set) var hasTwins = false
  /// Whether objects came that nothing is known of, since there are too many places.
  package internal(set) var isCut = false
  /// How often it was an object whose key stands beside it, too: `user.id` as `user_id`.
  package internal(set) var keysBeside = 0
  /// How often it was the key of the object in whose array its own object stands.
  package internal(set) var keysOfParent = 0

  init(name: [UInt8], canonical: [UInt8], keyRank: Int?) {
    self.name = name
    digest = JSONTape.digest(0, UInt64(bitPattern: Int64(name.hashValue)))
    self.canonical = canonical
    isReference = canonical.suffix(3).elementsEqual("_id".utf8)
    self.keyRank = keyRank
  }

  /// The place of the objects under it; of arrays, those in them.
  var inner: Int? { facts.arrays > 0 ? elements : object }

  /// Whether all of its values that are neither arrays nor objects may be keys.
  var mayNameKeys: Bool {
    facts.kinds.isSubset(of: ValueFacts.Kinds.texts.union([.integer, .wideInteger, .nested]))
  }

  /// How many values are neither arrays nor objects.
  var scalars: Int { facts.values - facts.objects - facts.arrays }

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
