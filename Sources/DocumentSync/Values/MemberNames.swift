/// The names of members that are nobody's own.
enum MemberNames {
  /// When each member was changed last.
  static let times = "_times"
}
