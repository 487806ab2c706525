/// What is carried out on a document in one turn.
enum DocumentStep: Sendable, Equatable {
  case entry(EntryStep)
  /// What was decided where it met the server's.
  case decision(Decision)
}
