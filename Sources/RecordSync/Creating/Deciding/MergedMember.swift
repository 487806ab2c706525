/// A name that objects of one table have, over all places of the payload where these stand.
struct MergedMember {
  let name: String
  let canonical: [UInt8]
  private(set) var facts = ValueFacts()
  private(set) var keysBeside = 0
  private(set) var parents = ParentSample()
  /// Its values that may be keys of rows that stand elsewhere.
  private(set) var keysNamed = KeySample()
  /// How many objects stand under it, as values or in arrays.
  private(set) var objects = 0
  /// What its values may be to the table. Of several, none but columns hold all.
  private(set) var ways: Set<Way> = []

  /// What values may be to a table.
  enum Way: Hashable {
    /// Values of a column.
    case plain
    /// An object with a key, or the key of one.
    case one
    /// Arrays of these.
    case many
  }

  init(name: String, canonical: [UInt8]) {
    self.name = name
    self.canonical = canonical
  }

  mutating func add(_ member: MemberShape, of shape: PayloadShape) {
    facts.add(member.facts)
    keysBeside += member.keysBeside
    parents.add(member.parents)
    keysNamed.add(member.keysNamed)
    objects += [member.object, member.elements].compactMap { $0 }.reduce(0) {
      $0 + shape.objects[$1].count
    }
    if let way = Self.way(of: member, in: shape) { ways.insert(way) }
  }

  /// The one way in which all values can be taken; `nil` where there are no values.
  var way: Way? {
    if ways == [.one], facts.arrays > 0 { return .plain }
    return ways.count > 1 ? .plain : ways.first
  }

  /// How many values are neither arrays nor objects.
  var scalars: Int { facts.values - facts.objects - facts.arrays }

  /// The narrowest type of a column for its values; `nil` where nothing came but nulls and arrays
  /// that hold nothing.
  func type(isExact: Bool) -> MadeType? {
    way == nil ? nil : MadeType(facts.kinds, isExact: isExact)
  }

  /// What the values at one place may be; `nil` where they tell nothing. Keys alone may be those of
  /// rows that stand elsewhere.
  static func way(of member: MemberShape, in shape: PayloadShape) -> Way? {
    let facts = member.facts
    if facts.values == facts.emptyArrays { return nil }
    let place = facts.arrays > 0 ? member.elements : member.object
    guard facts.arrays == 0 || facts.arrays == facts.values, member.mayNameKeys,
      member.oddElements == 0, !(place.map { shape.objects[$0].isKeyless } ?? false),
      place != nil || facts.objects == 0
    else { return .plain }
    return facts.arrays > 0 ? .many : .one
  }
}

extension PayloadShape {
  /// The names of the objects at some places, in the order in which they came. Names that are no
  /// Unicode can't be those of columns.
  func members(at places: [Int]) -> [MergedMember] {
    var members: [MergedMember] = []
    var known: [[UInt8]: Int] = [:]
    for place in places {
      for member in objects[place].members {
        guard let name = String(validating: member.name, as: UTF8.self) else { continue }
        let index = known[member.name] ?? members.count
        if index == members.count {
          known[member.name] = index
          members.append(MergedMember(name: name, canonical: member.canonical))
        }
        members[index].add(member, of: self)
      }
    }
    return members
  }
}
