private import SyncText

/// Reads a payload from its beginning to its end: its elements in windows, all else checked.
///
/// ```swift
/// var window = PayloadWindow()
/// while try reader.next(&window) {
///   for (index, element) in window.elements.enumerated() { … }
/// }
/// // The whole body was well-formed.
/// ```
///
/// Whoever writes what the windows hold may keep it only after the last call has given `false`:
/// until then, the payload may turn out to be cut.
package struct PayloadReader: Sendable {
  private var text: PayloadText
  private var scan: PayloadScan
  private var source: (any PayloadSource)?
  private let bounds: PayloadBounds

  /// A payload in memory, whose windows lie over these very bytes.
  package init(
    _ bytes: [UInt8], form: PayloadForm = .automatic, bounds: PayloadBounds = PayloadBounds()
  ) {
    let fits = bytes.count <= bounds.whole && !UnpackedSource.isPacked(bytes)
    guard fits, !form.isTable else {
      self.init(from: MemorySource(bytes: bytes), form: form, bounds: bounds)
      return
    }
    self.init(
      PayloadText(bytes: bytes, offset: 0, isLast: true), from: nil, form: form, bounds: bounds)
  }

  /// A payload that is read as it comes, unpacked where it is gzip, and of which only a window is
  /// held.
  package init(
    from source: any PayloadSource, form: PayloadForm = .automatic,
    bounds: PayloadBounds = PayloadBounds()
  ) {
    var source: any PayloadSource = UnpackedSource(source)
    if case .csv(let form) = form { source = CSVSource(source, form) }
    self.init(
      PayloadText(bytes: [], offset: 0, isLast: false), from: source, form: form, bounds: bounds)
  }

  private init(
    _ text: PayloadText, from source: (any PayloadSource)?, form: PayloadForm,
    bounds: PayloadBounds
  ) {
    self.text = text
    self.source = source
    self.bounds = bounds
    scan = PayloadScan(form: form, bounds: bounds)
  }

  /// How many elements were read. At the end, 0 means that there was an empty array.
  package var count: Int { scan.count }

  /// Whether its text doesn't tell where it ends: further values may stand behind the last one.
  package var mayGoOn: Bool { scan.takesMore || scan.isJoined }

  /// Whether its only element is an object that stands in no array. Known with the first window.
  package var isAlone: Bool { scan.isAlone }

  /// What the body says beside its elements. Known at the end.
  package var notes: BodyNotes { scan.notes }

  /// Fills a window with the next elements, at least one; `false` when there are none any more, and
  /// all of the payload was found to be well-formed. Called again then, it says so again.
  package mutating func next(_ window: inout PayloadWindow) throws(PayloadProblem) -> Bool {
    while true {
      switch try scan.scan(&text, into: &window) {
      case .filled:
        if let path = scan.path { try window.keepNames(of: path) }
        return true
      case .finished:
        window.clear()
        return false
      case .starved:
        // Its text would be held beside the next one.
        window.clear()
        try refill()
      }
    }
  }

  /// Keeps what wasn't read, and adds what comes next, until the window is full or all has come.
  private mutating func refill() throws(PayloadProblem) {
    guard text.left <= bounds.element else {
      throw .elementTooLong(scan.place(in: text), limit: bounds.element)
    }
    // Of a long element, at least as much comes as is there, or it would be read too many times.
    let room = max(bounds.window, text.left * 2)
    var isLast = false
    var problem: PayloadProblem?
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      let buffer = UnsafeMutableRawBufferPointer(buffer)
      buffer.copyBytes(from: text.bytes[text.position...])
      count = text.left
      do throws(PayloadProblem) {
        while count < room, !isLast {
          let came =
            try source?.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...])) ?? 0
          isLast = came == 0
          count += came
        }
      } catch {
        problem = error
      }
    }
    if let problem { throw problem }
    text = PayloadText(bytes: bytes, offset: text.offset + text.position, isLast: isLast)
  }
}

/// How much of a payload is held at once.
package struct PayloadBounds: Sendable, Equatable {
  /// About the bytes of text in a window.
  package var window = 1 << 20
  /// About the nodes of a window's tape, for text that is nearly all brackets and commas.
  package var nodes = 1 << 19
  /// The most bytes of one element of a payload that is read piece by piece.
  package var element = 64 << 20
  /// From how many bytes on a value that is passed over is read part by part.
  package var passedOver = 64 << 10

  /// The most bytes of a payload in memory whose windows lie over its own bytes, since places on a
  /// tape are small numbers. A longer one is read piece by piece.
  package var whole = JSONTape.longest / 2

  package init() {}
}
