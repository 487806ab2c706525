/// What a server said beside its answer.
public struct CallNotes: Sendable, Hashable {
  /// What it asks of those that call it.
  public var wishes: ServerWishes
  /// Its own time of the answer, in milliseconds since 1970 began; `nil` where it told none, and
  /// where something else may have spoken for it: a portal, a proxy, a host that it led to.
  public var date: Int64?
  /// The whole answer, where it is kept: always where the answer is a refusal or can't be
  /// understood.
  public var call: EndpointCall?

  /// What a server said beside its answer; nothing by default.
  public init(wishes: ServerWishes = ServerWishes(), date: Int64? = nil, call: EndpointCall? = nil)
  {
    self.wishes = wishes
    self.date = date
    self.call = call
  }
}
