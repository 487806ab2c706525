/// What a server, or the way to it, can be made to do for ``EndpointContract``.
public enum EndpointTrouble: Sendable, Hashable, CaseIterable {
  /// Every request is answered with status 200 and a page of HTML, and goes nowhere: a portal.
  case portal
  /// Every request is carried out, and the connection ends without an answer.
  case noAnswer
  /// Every request is refused with 503 and `Retry-After: 7`.
  case busy
  /// Every request is refused with 401.
  case unauthorized
}
