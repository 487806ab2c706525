import CatalogMirror
import CatalogPublishing
import Console

/// What a source is worth, for people, ending with the command line to use.
struct DoctorLines {
  private let diagnosis: SourceDiagnosis
  @Apart private var options: MirrorOptions

  init(_ diagnosis: SourceDiagnosis, of options: MirrorOptions) {
    self.diagnosis = diagnosis
    self.options = options
  }

  var lines: [String] {
    guard let list = diagnosis.list else { return unread + advice }
    if list.isUseless {
      let head = "\(diagnosis.address) is \(list.noun), and \(Self.uselessness(of: list))"
      return [head] + list.refused.map { "  \($0.told)" }
    }
    return ["\(diagnosis.address) is \(list.noun): \(extent(of: list))"]
      + (wholeness(of: list) + signature(of: list) + knowledge(of: list) + validators + self.item
      + Self.lines(ofPacksIn: diagnosis) + trouble(in: list) + betterWays(than: list))
      .map { "  " + $0 } + advice
  }

  private static func uselessness(of list: SourceDiagnosis.List) -> String {
    "\(list.refusedCount) of \(list.refusedCount) entries can't be mirrored:"
  }

  private func extent(of list: SourceDiagnosis.List) -> String {
    let pages =
      list.isPart ? "in its first \(list.pages) pages" : "in " + Amounts.count(list.pages, "page")
    var parts = [Amounts.count(list.items, "item"), pages]
    if list.unsized < list.items {
      parts.insert((list.rounded > 0 ? Amounts.about : "") + Amounts.bytes(list.bytes), at: 1)
    }
    if list.unsized > 0, list.items > 0 {
      parts.append(list.unsized == list.items ? "no sizes" : "\(list.unsized) without a size")
    }
    return parts.joined(separator: ", ")
  }

  private func wholeness(of list: SourceDiagnosis.List) -> [String] {
    if list.isPart {
      return [
        """
        It has more pages, which were left unread: all numbers here are of the first \
        \(list.pages), and whether it is whole isn't known. 'mirror plan' reads all of it.
        """
      ]
    }
    let unread = list.unreadable.count
    if list.isWhole, unread > 0 {
      let directories = Amounts.count(unread, "directory", "directories")
      return ["Of what lies below \(directories) nothing is known, and stays; the rest is whole."]
    }
    if list.isWhole { return ["It is whole: what it lacks is removed from the folder."] }
    guard let reason = list.partial.first else {
      return ["It lists what is new: nothing is removed only because it is no longer there."]
    }
    return ["Nothing is removed by it: \(reason.told)"]
  }

  private func signature(of list: SourceDiagnosis.List) -> [String] {
    guard !list.signers.isEmpty else { return list.format == "catalog" ? ["It isn't signed."] : [] }
    guard !list.verifiedBy.isEmpty else {
      return ["It says that it is signed by \(Self.keys(list.signers)), which --verify-key checks."]
        + Self.end(of: list)
    }
    let others = list.signers.filter { !list.verifiedBy.contains($0) }
    return ["It is signed by \(Self.keys(list.verifiedBy)), as given."]
      + (others.isEmpty ? [] : ["It says that it is signed by \(Self.keys(others)) as well."])
      + Self.end(of: list)
  }

  /// How long it may be taken, as far as it says.
  private static func end(of list: SourceDiagnosis.List) -> [String] {
    guard let end = list.expires else { return ["It doesn't say until when it may be taken."] }
    let said = list.verifiedBy.isEmpty ? "It says that it may be taken" : "It may be taken"
    let over = ". That is over: who checks it refuses it, unless told otherwise (--allow-expired)"
    return ["\(said) until \(Moments.text(Double(end)))\(list.isExpired ? over : "")."]
  }

  private static func keys(_ ids: [String]) -> String {
    (ids.count == 1 ? "the key " : "the keys ") + ids.joined(separator: ", ")
  }

  private func knowledge(of list: SourceDiagnosis.List) -> [String] {
    guard list.items > 0 else { return [] }
    let asked = list.items - list.versioned
    let changes =
      switch asked {
      case 0:
        """
        Changes are seen in the list, \(Self.asking(for: list)) in each run; what is unchanged \
        costs no further request\(Self.butFor(list)).
        """
      case list.items: "The list doesn't tell what has changed: each item is asked for every time."
      default:
        """
        Of \(Amounts.count(asked, "item")) the list doesn't tell whether they have changed: they \
        are asked for every time.
        """
      }
    return [changes] + digests(of: list)
  }

  /// What of a list a run asks for, as the middle of a sentence.
  private static func asking(for list: SourceDiagnosis.List) -> String {
    switch list.again {
    case .everyPage where list.pages == 1 && !list.isPart: "which is asked for"
    case .everyPage: "all pages of which are asked for"
    case .release: "whose Release is asked for"
    case .changes: "of which what is new is asked for"
    }
  }

  /// What is asked for once more though it is unchanged, as the end of a sentence.
  private static func butFor(_ list: SourceDiagnosis.List) -> String {
    guard list.dated > 0 else { return "" }
    return ", but for items whose date was so young that it proved nothing"
  }

  private func digests(of list: SourceDiagnosis.List) -> [String] {
    let proofs = list.proofs.joined(separator: ", ")
    let checks = list.checks.joined(separator: ", ")
    let proven =
      switch list.digested {
      case list.items: ["Every byte is checked by its digest (\(proofs))."]
      case 0: [String]()
      default:
        ["Only \(Amounts.count(list.digested, "item")) of \(list.items) have a digest (\(proofs))."]
      }
    let refuted =
      switch list.refutable {
      case 0: [String]()
      case list.items:
        ["Bytes are checked by \(checks), which refuses what differs, and proves nothing."]
      default:
        [
          """
          \(Amounts.count(list.refutable, "item")) of \(list.items) have a digest that refuses \
          what differs, and proves nothing (\(checks)).
          """
        ]
      }
    let lines = proven + refuted
    return lines.isEmpty ? ["There are no digests: bytes are believed as they come."] : lines
  }

  private var validators: [String] {
    [Self.line(for: diagnosis.listValidator, of: "The list")].compactMap { $0 }
  }

  private var item: [String] {
    guard let item = diagnosis.item else { return [] }
    if let problem = item.problem { return ["An item fails: \(problem.told)"] }
    let name = "The item \(item.key)"
    return [Self.line(ofItem: item.validator, name), Self.line(for: item.ranges)]
      .compactMap { $0 }
      + Self.lines(forTheEndOf: item)
      + (item.compresses
        ? ["It is sent packed though nobody asked; only a size or a digest makes that usable."]
        : [])
  }

  private static func lines(forTheEndOf item: SourceDiagnosis.Item) -> [String] {
    guard item.isFramed else {
      return [
        """
        It comes without a length and without an end: that it was cut is noticed only by a size or \
        a digest in the list; where there is neither, it is refused without --allow-unframed.
        """
      ]
    }
    return item.hasLength
      ? [] : ["It comes without a length: how large it is, is known at its end."]
  }

  private static func line(
    ofItem validation: SourceDiagnosis.Validation, _ name: String
  ) -> String? {
    guard validation.kind == .date, validation.holdsStill == true else {
      return line(for: validation, of: name)
    }
    return "\(name) has a date, by which HEAD tells whether it has changed."
  }

  private static func line(
    for validation: SourceDiagnosis.Validation, of name: String
  ) -> String? {
    let known =
      switch validation.kind {
      case .strong: "\(name) has a strong ETag"
      case .weak: "\(name) has a weak ETag"
      case .date: "\(name) has a date"
      case .youngDate: "\(name) has a date, too young to prove anything"
      case .none: "\(name) has no validator: whether it has changed, only its bytes tell"
      }
    if validation.holdsStill == false {
      return known + ", another one each time: it proves nothing."
    }
    return switch validation.confirms {
    case true?: known + ", and is confirmed (304) where it is unchanged."
    case false?: known + ", and is sent whole though it is unchanged."
    case nil: known + "."
    }
  }

  private static func line(for ranges: SourceDiagnosis.Ranges) -> String? {
    switch ranges {
    case .honest: "What is cut goes on where it was: parts are sent as asked."
    case .ignored: "What is cut begins anew: the server sends no parts."
    case .careless:
      "Beware: a part is sent even of what has changed since; only sizes and digests notice that."
    case .wrong: "Other parts are sent than asked for; what is cut begins anew."
    case .untried: nil
    }
  }

  private func trouble(in list: SourceDiagnosis.List) -> [String] {
    var lines: [String] = []
    if list.refusedCount > 0 {
      lines.append("\(Amounts.count(list.refusedCount, "entry", "entries")) can't be mirrored:")
      lines += list.refused.map { "  \($0.told)" }
    }
    if list.folded > 0 {
      lines.append("Where names are folded (macOS, Windows), \(list.folded) more can't.")
    }
    for directory in list.unreadable {
      lines.append("\(directory.key ?? "a directory") can't be listed: \(directory.told)")
    }
    return lines
      + list.remarks.map { remark in
        let words = "\(remark)."
        return words.prefix(1).uppercased() + words.dropFirst()
      }
  }

  private func betterWays(than list: SourceDiagnosis.List) -> [String] {
    var lines: [String] = []
    if list.suites.contains(diagnosis.address) {
      lines.append(
        """
        It is a suite of a Debian repository: with --format debian every byte is checked, and the \
        copy is a repository at every moment.
        """)
    } else if let suite = list.suites.first {
      let others = list.suites.count > 1 ? " or another of \(list.suites.count)" : ""
      lines.append(
        """
        There is a Debian repository in it: with --format debian and the address of its suite, \
        \(suite)\(others), every byte is checked, and the copy is a repository at every moment.
        """)
    }
    switch list.offersJSON {
    case true? where options.format == nil:
      lines.append("JSON is offered too, with sizes and dates: --format simple-index asks for it.")
    case true?: lines.append("It was read in JSON, which has sizes and dates.")
    case false?: lines.append("JSON isn't offered: there are neither sizes nor dates.")
    case nil: break
    }
    return lines
  }

  private var unread: [String] {
    let problem = diagnosis.problem.map { [$0.toldByDoctor] } ?? []
    return problem
      + diagnosis.candidates.map { candidate in
        """
        What is there can be read as \(candidate.noun) (--format \(candidate.format)), with \
        \(Self.content(of: candidate)) on its first page.
        """
      }
  }

  private static func content(of candidate: SourceDiagnosis.Candidate) -> String {
    let directories = Amounts.count(candidate.directories, "directory", "directories")
    guard candidate.items > 0 || candidate.directories == 0 else { return directories }
    let items = Amounts.count(candidate.items, "item")
    return candidate.directories == 0 ? items : "\(items) and \(directories)"
  }

  private var advice: [String] {
    let command = DoctorCommandLine(diagnosis, of: options)
    let hint =
      diagnosis.list == nil && options.mapping == nil
        && (diagnosis.problem?.told.contains("JSON") ?? false)
      ? ["Any JSON can be read by --map; 'mirror sync --help' and the manual say how."] : []
    if !command.publishing.isEmpty { return [""] + command.publishing }
    return hint + (command.text.isEmpty ? [] : command.explanation + ["", command.text])
  }
}
