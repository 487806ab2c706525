import SyncEssentials

/// One JSON object a line on standard output. Each begins with the members `event`, which tells
/// what it is, and `time`: when it was written, in UTC to the second (RFC 3339).
public enum JSONLine {
  /// Writes a line; `fill` adds the members that go with its event.
  public static func write(
    _ event: String, _ weight: Outlet.Weight = .kept,
    _ fill: (inout JSONMembers) -> Void = { _ in }
  ) {
    let text = text(event, at: Date().timeIntervalSince1970) { members in
      if let subject = Subject.current { members.add(subject.member, subject.name) }
      fill(&members)
    }
    Streams.outPlain(text, weight)
  }

  /// The text of a line that is written at `time`, in seconds since 1970.
  public static func text(
    _ event: String, at time: Double, _ fill: (inout JSONMembers) -> Void
  ) -> String {
    JSONMembers.text { members in
      members.add("event", event)
      members.addDate("time", time)
      fill(&members)
    }
  }
}
