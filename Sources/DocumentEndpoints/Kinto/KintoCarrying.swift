import DocumentSync
import SyncText

/// What a Kinto server can't carry as it is.
enum KintoCarrying {
  /// Members of a record that are the server's own.
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
