public import SyncEssentials
private import SyncText

/// The life of one document, as far as it's remembered: what happened to it, and how it stands.
public struct DocumentLife: Sendable, Equatable {
  /// One thing that happened.
  public struct Moment: Sendable, Hashable {
    /// When, in milliseconds since 1970; the last time of what happened several times.
    package let time: Int64
    /// What; `nil` if another version of the program knows.
    package let event: DocumentEvent?
    /// How many changes gave way, and are kept for a while.
    public let lost: Int
  }

  /// What the document is called now.
  public let id: DocumentID
  /// What happened to it, oldest first. Of long lives it's only the last of it.
  public let moments: [Moment]
  /// How it stands with it; `nil` if it's gone.
  public let status: DocumentStatus?
  /// Its files that aren't where they are to be.
  public package(set) var files: [FileTrouble] = []

  /// All of it, a sentence each, in their order.
  public var sentences: [String] {
    moments.map { "\(UnsentReason.time($0.time)): \($0.sentence)" } + [end]
      + files.map { ByteString.escape($0.sentence) }
  }

  private var end: String {
    guard let status else { return "it isn't here any more" }
    switch (status.reason, status.state) {
    case (let reason?, .deleted):
      return "it's deleted here, and that isn't at the server: \(reason)"
    case (let reason?, _): return "what is here isn't at the server: \(reason)"
    case (nil, _):
      return "it's as the server has it"
        + (status.version.map { ", in version \(ByteString.escape($0.text))" } ?? "")
    }
  }
}

extension DocumentLife.Moment {
  /// When it happened; the last time of what happened several times.
  public var date: Date { Date(milliseconds: time) }

  /// What happened, in one word that stays the same in later versions, such as `edited`, `sent` or
  /// `parked`; `nil` if another version of the program knows.
  public var name: String? { event.map { TraceForm($0).what } }

  /// The server's name for what it was about, if that has one.
  public var version: DocumentVersion? { event.flatMap { TraceForm($0).version } }

  /// What happened, in words.
  public var sentence: String {
    let sentence = event?.sentence ?? "something that this program has no words for"
    switch lost {
    case 0: return sentence
    case 1: return "\(sentence); a change gave way, and is kept for 30 days"
    default: return "\(sentence); \(lost) changes gave way, and are kept for 30 days"
    }
  }
}

extension DocumentLife {
  /// How many times the server has refused what is here, and when it did so last; `nil` if it
  /// hasn't since the last edit.
  var refusals: (count: Int, last: Int64)? {
    var (count, last) = (0, Int64(0))
    for moment in moments.reversed() {
      switch moment.event {
      case .refused:
        count += 1
        last = max(last, moment.time)
      // What goes with a try.
      case .retried, .sent, .unanswered, .untaken, .foundOther, .hidden, .readable,
        .takeoverGaveWay, nil:
        continue
      case .made, .edited, .saved, .stashed, .deleted, .takenAway, .leftFilter, .reverted,
        .resigned, .accepted, .removedThere, .named, .recognised, .met, .conflictEnded:
        return count == 0 ? nil : (count, last)
      }
    }
    return count == 0 ? nil : (count, last)
  }
}
