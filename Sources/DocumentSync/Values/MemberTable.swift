import SyncText

/// The members of an object, found by their names.
struct MemberTable {
  let members: [ObjectMember]
  private let places: [ByteString: Int]

  /// The members of an object; none of anything else.
  init(_ value: DocumentValue?) {
    members = value?.objectMembers ?? []
    places = Dictionary(
      members.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The value of the member of that name.
  subscript(name: ByteString) -> DocumentValue? {
    places[name].map { members[$0].value }
  }
}
