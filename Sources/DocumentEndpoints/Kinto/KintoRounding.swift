import DocumentSync
import SyncText

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
