import SyncEngine
private import SyncFiles
private import SyncText

/// Where the objects of a sync come from.
public struct RecordPayload: Sendable {
  enum Source: Sendable {
    case bytes([UInt8])
    case file(String)
    case standardInput
    case address(RecordAddress)
  }

  var source: Source
  /// That only what is new was asked for.
  var increment: PayloadRemark?
  /// How the objects stand in the text. Default: an array, one object, or one object behind
  /// another.
  public var form = PayloadForm.automatic
  /// What of it says that rows are gone. Default: nothing.
  public var deleted: DeletedMark?
  var bounds = PayloadBounds()

  private init(_ source: Source) { self.source = source }

  /// A payload in memory.
  public static func bytes(_ bytes: [UInt8]) -> RecordPayload { RecordPayload(.bytes(bytes)) }

  /// The text of JSON.
  public static func text(_ text: String) -> RecordPayload { .bytes(Array(text.utf8)) }

  /// A file, of which only a part is held in memory at a time. One whose name ends in `.ndjson` or
  /// `.jsonl` holds one value behind another. Unpacked where it is gzip, as from everywhere else;
  /// `.gz` behind those endings changes nothing.
  public static func file(_ path: String) -> RecordPayload { RecordPayload(.file(path)) }

  /// What is piped into this process.
  public static let standardInput = RecordPayload(.standardInput)

  /// An address, in one body or in a chain of pages. All of it is fetched before anything is
  /// written.
  public static func address(_ address: RecordAddress) -> RecordPayload {
    RecordPayload(.address(address))
  }

  /// The address of a URL, with the defaults of ``RecordAddress``.
  public static func url(_ url: String) -> RecordPayload { .address(RecordAddress(url)) }

  /// A reader of it from its beginning, where it needn't be fetched.
  func reader() throws(PayloadProblem) -> PayloadReader {
    switch source {
    case .bytes(let bytes): return PayloadReader(bytes, form: payloadForm(of: nil), bounds: bounds)
    case .address(let address):
      throw .source(URLReference(address.url)?.redacted ?? "", .notFetched)
    case .standardInput:
      return PayloadReader(from: DescriptorSource.standardInput, form: payloadForm(of: nil))
    case .file(let path):
      let file = try PayloadProblem.orUnreadable { () throws(Errno) in
        try Descriptor.open(userPath: path, .reading, in: SystemFileSystem())
      }
      return PayloadReader(
        from: DescriptorSource(file), form: payloadForm(of: path), bounds: bounds)
    }
  }

  /// The path in the address, whose name may tell the form.
  var pathInAddress: String? {
    guard case .address(let address) = source else { return nil }
    return URLReference(address.url)?.path
  }

  /// The name of the file that it is in, which may tell the form.
  var fileName: String? { if case .file(let path) = source { path } else { nil } }

  /// How many rows may go unless more is said. A fault of a server's may look like a shorter list:
  /// half of the rows may go, and of few rows all.
  var removalLimit: RemovalLimit {
    if case .address = source { .both(share: 0.5, count: 10) } else { .unlimited }
  }

  /// How the objects stand in it, which the name of a file may tell.
  func payloadForm(of file: String?) -> PayloadForm {
    guard form == .automatic, let file else { return form }
    return PayloadForm(fileName: file)
  }
}

extension RecordPayload {
  /// The list at an address whose service pages as a preset says.
  public static func pages(_ address: RecordAddress, as preset: PagingPreset) -> RecordPayload {
    var address = address
    (address.paging, address.endsWithoutNext) = (preset.paging, true)
    var payload = RecordPayload.address(address)
    if let items = preset.items { payload.form = .items(items) }
    return payload
  }
}
