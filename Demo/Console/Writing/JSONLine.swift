import SyncEssentials
package import SyncText

/// One JSON object a line on standard output. Each begins with the members `event`, which tells
/// what it is, and `time`: when it was written, in UTC to the second (RFC 3339).
package enum JSONLine {
  /// Writes a line; `fill` adds the members that go with its event.
  package static func write(
    _ event: String, _ weight: Outlet.Weight = .kept,
    _ fill: (inout JSONWriter.Members) -> Void = { _ in }
  ) {
    let text = text(event, at: Date().timeIntervalSince1970) { members in
      if let subject = Subject.current { members.add(subject.member, subject.name) }
      fill(&members)
    }
    Streams.outPlain(text, weight)
  }

  /// The text of a line that is written at `time`, in seconds since 1970.
  package static func text(
    _ event: String, at time: Double, _ fill: (inout JSONWriter.Members) -> Void
  ) -> String {
    let bytes = JSONWriter.object { members in
      members.add("event", event)
      members.addDate("time", time)
      fill(&members)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension JSONWriter.Members {
  /// Adds a moment, in seconds since 1970: a text in the form that all moments have.
  package mutating func addDate(_ name: JSONText, _ seconds: Double) {
    add(name, Moments.text(seconds))
  }

  /// Adds a time that passed, in seconds and thousandths.
  package mutating func addSeconds(_ name: JSONText, _ duration: Duration) {
    let seconds = (duration / .milliseconds(1)).rounded() / 1_000
    if let number = JSONNumber(seconds) { add(name, number) }
  }

  /// Adds a list of texts.
  package mutating func add(_ name: JSONText, _ texts: some Sequence<String>) {
    array(name) { elements in
      for text in texts { elements.add(text) }
    }
  }
}
