/// What the source answered; see `SourceList`.
enum ListKind: Equatable {
  case complete
  case partial
  case changes
  case unchanged
}
