import SyncEngine

/// A payload that is here, so that nothing has to be waited for any more while it is written.
struct LoadedPayload: Sendable {
  private enum Bodies: Sendable {
    case local(RecordPayload)
    case pages(FetchedPages)
    case kept(Spool)
  }

  private let bodies: Bodies
  private let form: PayloadForm
  /// How many rows may go unless more is said.
  let removalLimit: RemovalLimit
  /// What the source is remembered by; `nil` where it isn't.
  var fingerprint: String?

  /// What is in memory, in a file or piped into this process.
  init(_ payload: RecordPayload) {
    bodies = .local(payload)
    form = payload.payloadForm(of: nil)
    removalLimit = payload.removalLimit
  }

  /// What came from an address.
  init(_ pages: FetchedPages, of payload: RecordPayload) {
    bodies = .pages(pages)
    form = payload.payloadForm(of: payload.pathInAddress)
    removalLimit = payload.removalLimit
  }

  /// What was piped into this process, and is kept.
  init(kept spool: Spool, of payload: RecordPayload) {
    bodies = .kept(spool)
    form = payload.payloadForm(of: payload.fileName)
    removalLimit = payload.removalLimit
  }

  /// What the server says of the first page.
  var validators: PageValidators? {
    if case .pages(let pages) = bodies { pages.validators } else { nil }
  }

  /// Reads one body after the other, each from its beginning to its end.
  ///
  /// - Parameter mustBeWhole: Whether what is missing would be taken for gone.
  func forEachBody(
    mustBeWhole: Bool, _ read: (inout PayloadReader) throws -> Void
  ) throws {
    switch bodies {
    case .local(let payload):
      var reader = try payload.reader()
      try read(&reader)
    case .kept(let spool):
      var reader = PayloadReader(from: try SpooledPage(from: spool), form: form)
      try read(&reader)
    case .pages(let pages):
      try pages.rewind()
      for page in pages.pages {
        var reader = pages.reader(of: page, form: form)
        do {
          try read(&reader)
        } catch let problem as PayloadProblem {
          throw PayloadProblem.page(page.address, problem)
        }
        guard !mustBeWhole || page.isWhole(isClosed: !reader.mayGoOn) else {
          throw PayloadProblem.source(page.address, .unproven)
        }
      }
    }
  }
}

extension FetchedPages.Page {
  /// Whether there can't have been more. The end of an array says that by itself; where values
  /// stand one behind another, only the server knows.
  fileprivate func isWhole(isClosed: Bool) -> Bool {
    !hasBrokenLinks && (isFramed || isClosed)
  }
}
