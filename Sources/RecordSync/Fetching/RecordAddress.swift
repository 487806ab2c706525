@_exported public import struct SyncFetching.SourceAccess

/// An address from which objects come over HTTP, in one body or in a chain of pages.
///
/// ``paging`` says how a page tells of the next one. All pages are fetched before anything is
/// written, and are one payload: what none of them names is deleted once, after the last one was
/// read. If one of them can't be had, or can't be read, nothing is written.
public struct RecordAddress: Sendable {
  /// Where it begins: http or https.
  public var url: String
  /// How its pages hang together. Default: by `Link: rel="next"`.
  public var paging = RecordPaging.links
  /// Whether pages of which none has a member to name the next one are all there is, as some
  /// services promise. Default `false`: then they are a part, unless a page says otherwise.
  public var endsWithoutNext = false
  /// How only what is new is asked for. Then nothing of the server's answer is remembered, and a
  /// page that says of more pages, which aren't followed, is an error: that rest would never be
  /// asked for. Default: all is asked for.
  public var since: RecordSince?
  /// What the server is told and shown.
  public var access = SourceAccess()
  /// Hosts that may be at private, link-local or loopback addresses besides the source's own.
  public var allowedHosts: Set<String> = []
  /// Whether it is remembered what the server says of the first page (`ETag`, `Last-Modified`), so
  /// that nothing new costs one request. That goes by the first page alone: of a chain whose later
  /// pages change while the first doesn't, nothing new is seen. Before the server is asked, the
  /// tables that the payload reaches are looked at: where they were changed since, everything is
  /// fetched, as it is with a condition, in a plan, and after a sync in which rows were refused or
  /// references led nowhere. What is remembered stands in a table of the database,
  /// `recordsync_sources`. Default `true`.
  public var remembers = true
  /// How often a failure that may pass is tried again, for each page.
  public var retries = 5

  /// An address, without credentials but those that it holds.
  public init(_ url: String) {
    self.url = url
  }
}

/// A request that failed and is made again.
public struct RecordRetry: Sendable, Equatable {
  /// Its address, without secrets.
  public var address: String
  /// After which time, which the server may have asked for.
  public var wait: Duration
  /// What was wrong, as the end of a sentence.
  public var reason: String
}
