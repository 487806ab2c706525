/// What the source answered; see `SourceList`.
@usableFromInline
enum ListKind: Equatable, Sendable {
  case complete
  case partial
  case changes
  case unchanged
}
