/// What a look at one document showed.
struct LookReply: Sendable {
  /// What the server has; `nil` if it doesn't show that.
  let state: DocumentState?
  /// Whether it has what is known of it.
  let isUnchanged: Bool
  /// What it said in place of showing it, or that it has none; `nil` if nothing can be understood.
  let answer: PushAnswer?
  let notes: CallNotes

  init(_ reply: EndpointReply<PushEnd>) throws {
    notes = reply.notes
    switch reply.end {
    case .answered(let said):
      answer = said
      isUnchanged = said.status == 304
      if let shown = said.shown {
        state = shown
      } else if said.subject == .document, said.status == 410 {
        state = .deleted(said.version)
      } else {
        // No sign of a deletion: an edit isn't to give way to that.
        state = said.subject == .document && said.status == 404 ? .forgotten : nil
      }
    case .unreadable: (state, isUnchanged, answer) = (nil, false, nil)
    case .lost: throw EndpointError(.lost, notes: notes)
    case .unreachable: throw EndpointError(.unreachable, notes: notes)
    case .impossible: throw EndpointError(.impossible("its address is wrong"), notes: notes)
    }
  }
}
