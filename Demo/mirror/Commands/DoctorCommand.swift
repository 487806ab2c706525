import CatalogMirror
import CatalogPublishing
import Console

/// `mirror doctor CATALOG`
struct DoctorCommand {
  private let doctor: SourceDoctor
  @Apart private var options: MirrorOptions
  private let style: Invocation.Style

  init(_ invocation: Invocation) {
    options = invocation.mirror
    doctor = SourceDoctor(invocation.mirror)
    style = invocation.style
  }

  func run() async throws -> ExitStatus {
    let diagnosis = try await doctor.examine()
    return await Streams.telling { tell(diagnosis) }
  }

  private func tell(_ diagnosis: SourceDiagnosis) -> ExitStatus {
    switch style {
    case .people:
      for line in DoctorLines(diagnosis, of: options).lines { Streams.out(line) }
    case .json: write(diagnosis)
    case .quiet: break
    }
    guard let list = diagnosis.list else {
      if style != .people, let problem = diagnosis.problem {
        Streams.complain(problem.toldByDoctor)
      }
      return .failed
    }
    let isWell = diagnosis.item?.problem == nil && list.unreadable.isEmpty && !list.isUseless
    return isWell ? .done : .someFailed
  }

  private func write(_ diagnosis: SourceDiagnosis) {
    JSONLine.write("diagnosis") { line in
      line.add("catalog", diagnosis.address)
      if let list = diagnosis.list {
        line.object("list") { write(list, to: &$0) }
      }
      if let problem = diagnosis.problem { line.add("error", problem.toldByDoctor) }
      line.add("candidates", diagnosis.candidates.map(\.format))
      line.object("listValidator") { write(diagnosis.listValidator, to: &$0) }
      if let item = diagnosis.item {
        line.object("item") { write(item, to: &$0) }
      }
      if let pack = diagnosis.pack {
        line.object("pack") { write(pack, to: &$0) }
      }
      line.add("command", DoctorCommandLine(diagnosis, of: options).text)
    }
  }

  private func write(_ list: SourceDiagnosis.List, to line: inout JSONMembers) {
    line.add("format", list.format)
    line.add("pages", list.pages)
    line.add("part", list.isPart)
    line.add("items", list.items)
    line.add("bytes", list.bytes)
    line.add("rounded", list.rounded)
    line.add("unsized", list.unsized)
    line.add("digested", list.digested)
    line.add("versioned", list.versioned)
    line.add("previewed", list.previewed)
    line.add("packs", list.packs)
    line.add("packBytes", list.packBytes)
    line.add("packed", list.packed)
    line.add("refused", list.refusedCount)
    line.add("folded", list.folded)
    line.add("unreadable", list.unreadable.compactMap(\.key))
    line.add("whole", list.isWhole)
    line.add("partial", list.partial.map(\.told))
    line.add("suites", list.suites)
    line.add("signers", list.signers)
    line.add("verifiedBy", list.verifiedBy)
    if let end = list.expires { line.addDate("expires", Double(end)) }
    if let offersJSON = list.offersJSON { line.add("json", offersJSON) }
  }

  private func write(_ validation: SourceDiagnosis.Validation, to line: inout JSONMembers) {
    line.add("kind", validation.kind.rawValue)
    if let holdsStill = validation.holdsStill { line.add("holdsStill", holdsStill) }
    if let confirms = validation.confirms { line.add("confirms", confirms) }
  }

  private func write(_ item: SourceDiagnosis.Item, to line: inout JSONMembers) {
    line.add("key", item.key)
    line.object("validator") { write(item.validator, to: &$0) }
    line.add("ranges", item.ranges.rawValue)
    line.add("hasLength", item.hasLength)
    line.add("framed", item.isFramed)
    line.add("compresses", item.compresses)
    if let problem = item.problem { line.add("error", problem.told) }
  }
}
