/// What a server says of one document, in a list of changes or in answer to a request.
package enum ServerNews: Sendable, Hashable {
  /// It has this copy; not necessarily another one than is known here.
  case present(ServerCopy)
  /// The document was deleted, and another one made under its id.
  case revived(ServerCopy)
  /// It was deleted; the server calls the deletion so, if it has a name for it.
  case deleted(DocumentVersion?)
  /// The server has neither the document nor a sign of its deletion.
  case forgotten

  var there: Meeting.There {
    switch self {
    case .present(let copy): .present(copy)
    case .revived(let copy): .revived(copy)
    case .deleted: .deleted
    case .forgotten: .forgotten
    }
  }

  var copy: ServerCopy? {
    switch self {
    case .present(let copy), .revived(let copy): copy
    case .deleted, .forgotten: nil
    }
  }

  /// What is to be remembered of a deletion, once the document is gone here.
  var burial: Burial {
    switch self {
    case .deleted(let version): .at(version)
    case .present, .revived, .forgotten: .none
    }
  }
}

extension DocumentState {
  /// The same as the store takes it.
  var news: ServerNews {
    switch self {
    case .present(let copy): .present(copy)
    case .revived(let copy): .revived(copy)
    case .deleted(let version): .deleted(version)
    }
  }
}

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
