import SyncText

/// Reads pages as their bytes come, for what their elements tell of the next one.
struct PageCount: Sendable {
  private let form: PayloadForm
  private var scan: PayloadScan
  private var left: [UInt8] = []
  /// From how many bytes on these are looked at: of a long element, at least as much comes as is
  /// there, or it would be read too many times.
  private var wanted = 0
  private var window = PayloadWindow()
  private var problem: PayloadProblem?
  private var page = Page()
  private var before = Page()
  private var all = All()

  private struct Page {
    var count = 0
    /// Digests of keys, or else of whole elements.
    var names: Set<Int> = []
    var isKeyless = false
    var lastKey: String?
  }

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
    (left, wanted, page, problem) = ([], 0, Page(), nil)
  }

  mutating func read(_ bytes: UnsafeRawBufferPointer) {
    left += bytes
    if left.count >= wanted { look(isLast: false) }
  }

  private mutating func look(isLast: Bool) {
    guard problem == nil else { return }
    var text = PayloadText(bytes: left, offset: 0, isLast: isLast)
    do throws(PayloadProblem) {
      while case .filled = try scan.scan(&text, into: &window) {
        window.elements.forEach { note($0) }
      }
    } catch {
      problem = error
    }
    left = Array(text.bytes[text.position...])
    wanted = left.count * 2
    window.clear()
  }

  private mutating func note(_ element: JSONTape.Node) {
    page.count += 1
    let key = key(of: element)
    let name = window.tape.value(key ?? element).text
    page.lastKey = key.map {
      window.tape.stringBytes($0).map { String(decoding: $0, as: UTF8.self) } ?? name
    }
    page.isKeyless = page.isKeyless || key == nil
    page.names.insert(name.hashValue)
  }

  /// Under the first of the usual names that the element has.
  private func key(of element: JSONTape.Node) -> JSONTape.Node? {
    guard window.tape.kind(of: element) == .object else { return nil }
    var found: (rank: Int, key: JSONTape.Node)?
    window.tape.forEachMember(of: element) { name, value in
      guard let rank = Self.keyNames.firstIndex(of: name), rank < found?.rank ?? .max else {
        return
      }
      found = (rank, value)
    }
    return found?.key
  }

  private static let keyNames = ["id", "_id", "uuid"].map { Array($0.utf8) }

  /// What a page tells of the next one.
  struct Told {
    var count = 0
    var lastKey: String?
    var saysLast = false
    /// Whether it has the elements of the page before: the server takes no notice of what is asked.
    var isOld = false
    /// Whether it is an object that stands in no array, and no list.
    var isAlone = false
  }

  /// Ends the page.
  /// - Throws: what is wrong with its body.
  mutating func end() throws(PayloadProblem) -> Told {
    look(isLast: true)
    if let problem { throw problem }
    let told = Told(
      count: page.count, lastKey: page.lastKey, saysLast: scan.notes.isLast,
      isOld: page.count > 0 && page.names == before.names, isAlone: scan.isAlone)
    all.count += page.count
    all.names.formUnion(page.names)
    all.isKeyless = all.isKeyless || page.isKeyless
    all.totals.insert(scan.notes.total?.count)
    before = page
    return told
  }

  /// How many elements came so far.
  var count: Int { all.count }

  /// Whether each page told the same total, and as many elements came, each with a key of its own.
  var provesAll: Bool {
    guard all.totals.count == 1, let total = all.totals.first ?? nil else { return false }
    return !all.isKeyless && all.names.count == all.count && total == Int64(all.count)
  }
}
