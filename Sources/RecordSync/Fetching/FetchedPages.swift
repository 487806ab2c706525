import SyncFiles

/// The pages of a payload that were fetched, kept until they are read.
struct FetchedPages: Sendable {
  let spool: Spool
  private(set) var pages: [Page] = []
  /// What the server says of the first page, to ask whether it changed.
  var validators: PageValidators?

  struct Page: Sendable, Equatable {
    /// Its address, without secrets.
    var address: String
    /// Where it lies in the spool.
    var range: Range<Int>
    /// Whether the server told where its body ends.
    var isFramed: Bool
    /// Whether something in its headers may have named a next page, and can't be read.
    var hasBrokenLinks: Bool
    /// Whether it has the member that is to name the next page.
    var hasNext = false
  }

  init(in spool: Spool) {
    self.spool = spool
  }

  mutating func add(_ page: Page) { pages.append(page) }

  /// Goes to the beginning: the readers of the pages are used one after the other.
  func rewind() throws(PayloadProblem) {
    do throws(Errno) {
      try spool.rewind()
    } catch {
      throw .unreadable(reason: error.text)
    }
  }

  func reader(of page: Page, form: PayloadForm) -> PayloadReader {
    PayloadReader(from: SpooledPage(spool, page.range), form: form)
  }
}

/// What a server says of a page, to be asked later whether it is as it was (RFC 9110, section 8.8).
struct PageValidators: Sendable, Equatable {
  var etag: String?
  var lastModified: String?
}
