/// Who decides where documents of a type meet the server's.
package struct MeetingRules: Sendable {
  package var policies: [ConflictPolicy]
  package var mergers: MemberMergers
  /// The member in which documents say their type.
  package var typeMember: String

  /// Policies and mergers; without any, the server wins.
  package init(
    policies: [ConflictPolicy] = [], mergers: MemberMergers = .none,
    typeMember: String = DocumentTypes.usualMember
  ) {
    self.policies = policies
    self.mergers = mergers
    self.typeMember = typeMember
  }
}
