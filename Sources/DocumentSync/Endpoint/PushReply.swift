/// How a push ended.
public struct PushReply: Sendable, Hashable {
  /// How it ended.
  public var end: PushEnd
  /// What the server said beside it.
  public var notes: CallNotes

  /// An end, with what the server said beside it.
  public init(_ end: PushEnd, notes: CallNotes = CallNotes()) {
    self.end = end
    self.notes = notes
  }
}

/// How a push of many documents ended.
public struct BatchReply: Sendable, Hashable {
  /// How a request for many documents ends.
  public enum End: Sendable, Hashable {
    /// With an answer for each of them, in the order in which they were sent.
    case parts([PushReply])
    /// With one for all of them, or none.
    case whole(PushEnd)
  }

  /// How it ended.
  public var end: End
  /// What the server said beside it.
  public var notes: CallNotes

  /// An answer for each document.
  public init(parts: [PushReply], notes: CallNotes = CallNotes()) {
    end = .parts(parts)
    self.notes = notes
  }

  /// An answer for all of them, or none.
  public init(whole: PushEnd, notes: CallNotes = CallNotes()) {
    end = .whole(whole)
    self.notes = notes
  }
}

/// How a request for a document ended.
public enum PushEnd: Sendable, Hashable {
  /// A whole answer came.
  case answered(PushAnswer)
  /// A success came that can't be understood, such as the page of a portal: that a document is gone
  /// must not be read out of it. The server may have taken the request, or never have seen it.
  case unreadable
  /// No answer came, and the server may have taken the request.
  case lost
  /// It's certain that no server took the request; a later one may get through.
  case unreachable
  /// It's certain that no server took the request, and none ever will as things are: a bad address,
  /// a wrong certificate.
  case impossible
}

/// What a server said to a request for a document.
public struct PushAnswer: Sendable, Hashable {
  /// The status of HTTP, or the one that comes nearest to what was said.
  public var status: Int
  /// The version that a success gave the document, or its deletion. A success that stores a
  /// document and names none counts as one that can't be understood; that of a deletion may name
  /// none.
  public var version: DocumentVersion?
  /// What the server has, as far as it said so: with a conflict, when it was looked up, or where it
  /// has stored something else than it was sent. What was sent gives way to that, so it's told only
  /// by an answer that holds the whole document: as the server says, or since at least half of the
  /// members that were sent are in it. Any other success is an acknowledgement of what was sent.
  public var shown: DocumentState?
  /// The key under which a success made the document, where it's another than the one that was
  /// sent: the service makes its keys itself. Then the document isn't taken for sent, and isn't
  /// sent again unless somebody wants it to be.
  public var madeAs: DocumentID?
  /// The server's own words about a refusal.
  public var words: String
  /// What a refusal is about.
  public var subject: RefusalSubject

  /// What a server said.
  public init(
    status: Int, version: DocumentVersion? = nil, shown: DocumentState? = nil,
    madeAs: DocumentID? = nil, words: String = "", subject: RefusalSubject = .document
  ) {
    self.status = status
    self.version = version
    self.shown = shown
    self.madeAs = madeAs
    self.words = words
    self.subject = subject
  }
}
