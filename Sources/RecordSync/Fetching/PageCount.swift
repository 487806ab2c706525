import SyncText

/// Reads pages as their bytes come, for what their elements tell of the next one. Whether a body is
/// right, who reads it to write it finds out.
struct PageCount: Sendable {
  private let form: PayloadForm
  private var scan: PayloadScan
  private var left: [UInt8] = []
  private var window = PayloadWindow()
  private var isBroken = false
  private var page = Page()
  private var all = All()

  /// What one page tells.
  private struct Page {
    var count = 0
    /// Digests of keys, or else of whole elements.
    var names: [Int] = []
    var isKeyless = false
    var lastKey: String?
  }

  /// What the pages before it told.
  private struct All {
    var count = 0
    var names: Set<Int> = []
    var isKeyless = false
    var totals: Set<Int64?> = []
  }

  init(form: PayloadForm) {
    self.form = form
    scan = PayloadScan(form: form, bounds: PayloadBounds())
  }

  /// Forgets what came of this page: its body begins, perhaps once more.
  mutating func begin() {
    scan = PayloadScan(form: form, bounds: PayloadBounds())
    (left, page, isBroken) = ([], Page(), false)
  }

  mutating func read(_ bytes: UnsafeRawBufferPointer) { read(left + bytes, isLast: false) }

  private mutating func read(_ bytes: [UInt8], isLast: Bool) {
    guard !isBroken else { return }
    var text = PayloadText(bytes: bytes, offset: 0, isLast: isLast)
    do throws(PayloadProblem) {
      while case .filled = try scan.scan(&text, into: &window) {
        window.elements.forEach { note($0) }
      }
      left = Array(text.bytes[text.position...])
    } catch {
      isBroken = true
    }
    window.clear()
  }

  private mutating func note(_ element: JSONTape.Node) {
    page.count += 1
    page.lastKey = nil
    guard let key = key(of: element) else {
      page.isKeyless = true
      page.names.append(window.tape.value(element).text.hashValue)
      return
    }
    page.lastKey = window.tape.stringBytes(key).map { String(decoding: $0, as: UTF8.self) }
    page.lastKey = page.lastKey ?? window.tape.value(key).text
    page.names.append(window.tape.value(key).text.hashValue)
  }

  private func key(of element: JSONTape.Node) -> JSONTape.Node? {
    guard window.tape.kind(of: element) == .object else { return nil }
    var key: JSONTape.Node?
    window.tape.forEachMember(of: element) { name, value in
      if key == nil, Self.keyNames.contains(name) { key = value }
    }
    return key
  }

  private static let keyNames: Set<[UInt8]> = [
    Array("id".utf8), Array("_id".utf8), Array("uuid".utf8),
  ]

  /// What a page tells of the next one.
  struct Told {
    var count = 0
    var lastKey: String?
    var saysLast = false
    /// Whether all its elements came before: the server takes no notice of what is asked for.
    var isOld = false
  }

  /// Ends the page.
  mutating func end() -> Told {
    read(left, isLast: true)
    guard !isBroken else { return Told() }
    let before = all.names.count
    all.count += page.count
    all.names.formUnion(page.names)
    all.isKeyless = all.isKeyless || page.isKeyless
    all.totals.insert(scan.notes.total?.count)
    return Told(
      count: page.count, lastKey: page.lastKey, saysLast: scan.notes.isLast,
      isOld: page.count > 0 && all.names.count == before)
  }

  /// How many elements came so far.
  var count: Int { all.count }

  /// Whether each page told the same total, and as many elements came, each with a key of its own.
  var provesAll: Bool {
    guard all.totals.count == 1, let total = all.totals.first ?? nil else { return false }
    return !all.isKeyless && all.names.count == all.count && total == Int64(all.count)
  }
}
