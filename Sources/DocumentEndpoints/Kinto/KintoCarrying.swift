import DocumentSync
import SyncText

/// What a Kinto server can't carry as it is.
enum KintoCarrying {
  static let serverMembers: Set<ByteString> = Set(
    ["id", "last_modified", "deleted", "schema"].map { ByteString($0) })

  /// Why a server would refuse a document, or give back another one; `nil` if it wouldn't.
  static func problem(
    with id: DocumentID, _ content: DocumentValue, in collection: String
  ) -> String? {
    guard KintoNames.isName(collection) else {
      return "no collection of a Kinto server can be called \"\(ByteString.escape(collection))\""
    }
    guard KintoNames.isName(id.text) else {
      return """
        a Kinto server has only ids of letters, digits, "-" and "_", of which the last two don't \
        begin one
        """
    }
    guard content.isObject else { return "a Kinto server has only objects" }
    guard content.depth <= deepestNesting else {
      return "it nests deeper than \(deepestNesting) levels, at which a Kinto server may break"
    }
    for member in content.objectMembers {
      if let problem = problem(with: member) { return problem }
    }
    return roundedNumber(in: content).map {
      "a Kinto server would round the number \($0); write it as a string"
    }
  }

  /// A server breaks somewhere between 400 and 500 levels, and answers what it then has stored or
  /// hasn't with 500.
  static let deepestNesting = 256

  private static func problem(with member: ObjectMember) -> String? {
    if serverMembers.contains(member.name) {
      return "the member \"\(member.text)\" is the Kinto server's own; give it another name"
    }
    // What comes from the plugin must go back with every change: without it, the file is removed.
    guard member.name == attachment, !isAttachment(member.value) else { return nil }
    return "the member \"attachment\" is for files that a Kinto server keeps; give it another name"
  }

  private static let attachment = ByteString("attachment")

  private static func isAttachment(_ value: DocumentValue) -> Bool {
    value["location"]?.string != nil && value["hash"]?.string != nil
  }

  /// The first number that would come back as another one, as it is written.
  private static func roundedNumber(in value: DocumentValue) -> String? {
    let bytes = Array(value.json.written)
    var tape = JSONTape(nesting: DocumentValue.deepestNesting)
    tape.begin(bytes)
    guard let root = try? tape.append(at: 0).root else { return nil }
    var node = root
    while node != tape.end(of: root) {
      if let number = tape.number(node), !isKept(number) { return number.text }
      node = tape.inside(node)
    }
    return nil
  }

  /// A Kinto server keeps integers of 64 bits, with or without a sign; all else it keeps as
  /// doubles. Of those with 16 digits or more it makes the next one now and then, which nobody can
  /// foresee: what became of a document, its answer shows.
  private static func isKept(_ number: JSONNumber) -> Bool {
    if Int64(number.text) != nil || UInt64(number.text) != nil { return true }
    guard let double = number.double, let kept = JSONNumber(double) else { return false }
    return kept == number
  }
}

/// What a Kinto server's reader of numbers makes of a document.
///
/// It takes the digits of a number for one double and multiplies it by a power of ten, or divides
/// it by one: up to 15 digits that is exact, beyond it may come to a neighbour of the number that
/// was meant.
enum KintoRounding {
  /// How many doubles a number may be away from the one that was meant.
  private static let farthest = 4.0

  /// Whether a server may have made the one of the other, which was sent: they differ in nothing
  /// but roundings, if at all.
  static func may(_ stored: DocumentValue, stem from: DocumentValue) -> Bool {
    if stored == from { return true }
    if let one = stored.elements, let other = from.elements {
      return one.count == other.count && zip(one, other).allSatisfy { may($0, stem: $1) }
    }
    if stored.isObject, from.isObject {
      let (members, others) = (stored.objectMembers, from.objectMembers)
      let values = Dictionary(
        others.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
      return members.count == others.count
        && members.allSatisfy { member in
          values[member.name].map { may(member.value, stem: $0) } ?? false
        }
    }
    guard let one = stored.double, let other = from.double,
      Int64(from.text) == nil, UInt64(from.text) == nil
    else { return false }
    return abs(one - other) <= farthest * other.ulp
  }
}

extension DocumentState {
  /// The state with a document as it was sent in the place of what the server has made of it, so
  /// that whoever sent it knows it again.
  func recognising(_ sent: DocumentValue?) -> DocumentState {
    guard let sent, let copy, KintoRounding.may(copy.value, stem: sent) else { return self }
    return .present(ServerCopy(value: sent, version: copy.version, time: copy.time))
  }
}
