import SyncEngine
import SyncFetching
import SyncFiles
import SyncLock

extension RecordPayload {
  /// Fetches what has to be fetched, so that all of it is here. What can be read only once is kept:
  /// where parts of it say different things of one row, it is read again.
  ///
  /// - Parameters:
  ///   - deletes: Whether what is missing would be taken for gone.
  ///   - known: What the server may answer by that nothing has changed; then there is no payload.
  func load(
    _ onProgress: (@Sendable (RecordProgress) -> Void)?, deletes: Bool,
    unless known: PageValidators? = nil
  ) async throws -> LoadedPayload? {
    // What stands beside the elements decides what may go.
    let looksBeside = (deletes || increment != nil) && (isAddress || isWithin)
    guard let loaded = try await load(onProgress, unless: known) else { return nil }
    guard looksBeside else { return loaded }
    let next = nextPath
    return try await DispatchDiskQueue().run { [loaded] in
      var looked = loaded
      try looked.lookBeside(next: next)
      return looked
    }
  }

  private var isAddress: Bool { if case .address = source { true } else { false } }

  private var isWithin: Bool { if case .items = form { true } else { false } }

  private var nextPath: PayloadPath? {
    guard case .address(let address) = source, !address.endsWithoutNext else { return nil }
    return address.paging.path
  }

  private func load(
    _ onProgress: (@Sendable (RecordProgress) -> Void)?, unless known: PageValidators?
  ) async throws -> LoadedPayload? {
    if let kept = try await keepOnce() { return kept }
    guard case .address(let address) = source else { return LoadedPayload(self) }
    onProgress?(RecordProgress(stage: .fetching))
    let fetch = PageFetch(
      address: address, form: payloadForm(of: pathInAddress), environment: .real
    ) { pages, bytes in
      var progress = RecordProgress(stage: .fetching)
      (progress.pages, progress.bytes) = (pages, bytes)
      onProgress?(progress)
    } onRetry: { retry in
      var progress = RecordProgress(stage: .fetching)
      progress.retry = retry
      onProgress?(progress)
    }
    switch try await fetch.fetch(known) {
    case .pages(let pages): return LoadedPayload(pages, of: self)
    case .notModified: return nil
    }
  }

  /// What can be read only once: standard input, or a pipe that has a name.
  private func readOnce() throws(PayloadProblem) -> DescriptorSource? {
    switch source {
    case .standardInput: return .standardInput
    case .bytes, .address: return nil
    case .file(let path):
      return try PayloadProblem.orUnreadable { () throws(Errno) in
        let file = try Descriptor.open(userPath: path, .reading, in: SystemFileSystem())
        return try file.status().kind == .file ? nil : DescriptorSource(file)
      }
    }
  }

  /// What can be read only once is kept; whoever waits for it may stop waiting.
  private func keepOnce() async throws -> LoadedPayload? {
    let isCancelled = Locked(false)
    do {
      return try await withTaskCancellationHandler {
        try await DispatchDiskQueue().run {
          guard var once = try readOnce() else { return nil }
          once.isCancelled = { isCancelled.withLock { $0 } }
          return try keep(once)
        }
      } onCancel: {
        isCancelled.withLock { $0 = true }
      }
    } catch is PayloadProblem where Task.isCancelled {
      throw CancellationError()
    } catch let error as Errno {
      throw PayloadProblem.noRoom(reason: error.text)
    }
  }

  private func keep(_ once: DescriptorSource) throws -> LoadedPayload {
    let spool = Spool()
    var source = once
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { buffer.deallocate() }
    while case let count = try source.read(into: buffer), count > 0 {
      try spool.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    return LoadedPayload(kept: spool, of: self)
  }
}

/// A payload that is here, so that nothing has to be waited for any more while it is written.
struct LoadedPayload: Sendable {
  private enum Bodies: Sendable {
    case local(RecordPayload)
    case pages(FetchedPages)
    case kept(Spool)
  }

  private let bodies: Bodies
  private let form: PayloadForm
  let removalLimit: RemovalLimit
  let deleted: DeletedMark?
  /// What the source is remembered by; `nil` where it isn't.
  var fingerprint: String?
  /// Why it is no complete list, as far as that is known before it is read.
  private(set) var remarks: [PayloadRemark] = []

  /// What is in memory or in a file.
  init(_ payload: RecordPayload) { self.init(.local(payload), payload, named: nil) }

  /// What came from an address, whose path may tell the form.
  init(_ pages: FetchedPages, of payload: RecordPayload) {
    self.init(.pages(pages), payload, named: payload.pathInAddress)
  }

  /// What was piped into this process, and is kept.
  init(kept spool: Spool, of payload: RecordPayload) {
    self.init(.kept(spool), payload, named: payload.fileName)
  }

  private init(_ bodies: Bodies, _ payload: RecordPayload, named name: String?) {
    self.bodies = bodies
    form = payload.payloadForm(of: name)
    removalLimit = payload.removalLimit
    deleted = payload.deleted
    remarks = [payload.increment].compactMap { $0 }
  }

  /// Whether only what is new was asked for, so that what is missing won't be asked for again.
  var isIncrement: Bool {
    remarks.contains {
      switch $0 {
      case .incremental, .unusableSince: true
      case .putAlone, .partial, .merged, .severalParents: false
      }
    }
  }

  /// About the bytes of text that are written in one window.
  var window: Int {
    if case .local(let payload) = bodies { payload.bounds.window } else { PayloadBounds().window }
  }

  var validators: PageValidators? {
    if case .pages(let pages) = bodies { pages.validators } else { nil }
  }

  /// Finds out whether it says itself that it isn't all there is. What stands beside the elements
  /// may stand behind them: where it decides what is deleted, all of the payload is read for it.
  mutating func lookBeside(next: PayloadPath?) throws {
    var (last, count, error) = (BodyNotes(), Int64(0), nil as String?)
    var (pages, lacking) = (0, 0)
    if case .items = form {
      var window = PayloadWindow()
      try forEachBody(mustBeWhole: false) { reader in
        while try reader.next(&window) {}
        count += Int64(reader.count)
        pages += 1
        last = reader.notes
        lacking += last.lacking
        error = error ?? (reader.count > 0 ? reader.notes.error : reader.notes.errorInDoubt)
      }
    }
    if lacking > 0, case .items(let path) = form {
      remarks.append(.partial(.lacking(path.text, lacking)))
    }
    if let error { remarks.append(.partial(.errors(error))) }
    if isIncrement, let more = last.more, case .pages(let fetched) = bodies {
      throw PayloadProblem.source(fetched.pages.first?.address ?? "", .restIsLeft(more))
    }
    if let total = last.total, total.count > count {
      remarks.append(.partial(.total(total.name, total.count, came: count)))
    } else if let all = last.pages, all.count > pages {
      remarks.append(.partial(.more(all.name)))
    } else if let more = last.more {
      remarks.append(.partial(.more(more)))
    }
    if case .pages(let pages) = bodies, pages.mayLack { remarks.append(.partial(.sliding)) }
    if let next, case .pages(let pages) = bodies, !pages.pages.contains(where: \.hasNext) {
      let isLast = last.isLast || last.total.map { $0.count == count } ?? false
      if !isLast { remarks.append(.partial(.noNext(next.text))) }
    }
  }

  /// Takes what stands for rows that are gone out of a window.
  func removeDeleted(from window: inout PayloadWindow) {
    guard let deleted else { return }
    window.keep(
      window.elements.indices.filter { !deleted.marks(window.elements[$0], in: window.tape) })
  }

  /// Reads one body after the other, each from its beginning to its end.
  ///
  /// - Parameters:
  ///   - mustBeWhole: Whether what is missing would be taken for gone.
  ///   - other: Where something else than its elements is read.
  func forEachBody(
    mustBeWhole: Bool, as other: PayloadForm? = nil, _ read: (inout PayloadReader) throws -> Void
  ) throws {
    switch bodies {
    case .local(let payload):
      var payload = payload
      if let other { payload.form = other }
      var reader = try payload.reader()
      try read(&reader)
    case .kept(let spool):
      var reader = PayloadReader(from: try SpooledPage(from: spool), form: other ?? form)
      try read(&reader)
    case .pages(let pages):
      try pages.rewind()
      for page in pages.pages {
        var reader = pages.reader(of: page, form: other ?? form)
        do {
          try read(&reader)
        } catch let problem as PayloadProblem {
          throw PayloadProblem.page(page.address, problem)
        }
        guard !mustBeWhole && !isIncrement || page.isWhole(isClosed: !reader.mayGoOn) else {
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
