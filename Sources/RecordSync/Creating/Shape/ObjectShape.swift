private import SyncText

/// What was seen of the objects at one place of a payload: `[].author`, or `[].notes[].tags[]`.
package struct ObjectShape: Sendable, Equatable {
  /// How many objects stand there.
  package internal(set) var count = 0
  /// Whether one of them has nothing that can be a key. Nothing more is then known of them: they
  /// may be dictionaries of ever new names.
  package internal(set) var isKeyless = false
  /// Their members, in the order in which the names came.
  package internal(set) var members: [MemberShape] = []
  package internal(set) var keys = KeySample()
  /// Whether those of one key contradict each other.
  package internal(set) var values = ValueSample()
  /// Whether there are more names than ``mostNames``.
  package internal(set) var hasTooManyNames = false
  var places: [[UInt8]: Int] = [:]
  /// An object's member, and the one that may hold its key: `user` and `user_id`.
  var pairs: [Pair] = []

  /// How many names are told apart: more than a table has columns, less than would matter.
  package static let mostNames = 1_500

  struct Pair: Sendable, Equatable {
    var object: Int
    var key: Int
  }
}

/// What was seen of the members of one name.
package struct MemberShape: Sendable, Equatable {
  /// The name's bytes, escapes resolved.
  package let name: [UInt8]
  /// The name in one form for all spellings.
  let canonical: [UInt8]
  /// Its place among the names that may be keys, the likeliest first.
  let keyRank: Int?
  let digest: UInt64
  package internal(set) var facts = ValueFacts()
  /// The objects that are its values, by their place in ``PayloadShape/objects``.
  package internal(set) var object: Int?
  /// The objects that stand in arrays that are its values.
  package internal(set) var elements: Int?
  /// How many of the elements of these arrays are texts or integers, which may be keys of rows.
  package internal(set) var plainElements = 0
  /// How many of them can neither be rows nor keys.
  package internal(set) var oddElements = 0
  /// The values, and elements of arrays, that may be keys of rows that stand elsewhere.
  package internal(set) var keysNamed = KeySample(most: 1 << 12)
  /// What the objects in its arrays hang on.
  package internal(set) var parents = ParentSample()
  /// How often it was an object whose key stands beside it, too: `user.id` as `user_id`.
  package internal(set) var keysBeside = 0
  /// How often it was the key of the object in whose array its own object stands.
  package internal(set) var keysOfParent = 0

  init(name: [UInt8], canonical: [UInt8], keyRank: Int?) {
    self.name = name
    digest = JSONTape.digest(0, name)
    self.canonical = canonical
    self.keyRank = keyRank
  }

  /// Whether all of its values that are neither arrays nor objects may be keys.
  var mayNameKeys: Bool {
    facts.kinds.isSubset(of: [.integer, .wideInteger, .text, .nested])
  }

  /// Whether its name is one of a key of another object.
  var isReference: Bool { canonical.suffix(3).elementsEqual("_id".utf8) }
}
