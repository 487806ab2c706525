import CatalogPublishing
import Console

/// What a catalog offers that many small files come with one request.
extension DoctorLines {
  static func lines(ofPacksIn diagnosis: SourceDiagnosis) -> [String] {
    guard let list = diagnosis.list, let pack = diagnosis.pack else { return [] }
    let offer = """
      \(list.packed) of its \(Amounts.count(list.items, "item")) lie in \
      \(Amounts.count(list.packs, "pack")) as well (\(Amounts.bytes(list.packBytes)))
      """
    if let problem = pack.problem {
      return ["\(offer), of which the first can't be used: \(problem.told)"]
    }
    return switch pack.ranges {
    case .honest: ["\(offer), and come with few requests: parts of packs are sent as asked."]
    case .ignored:
      [
        """
        \(offer), of which the server sends no parts: one comes whole where at least a quarter of \
        it is wanted; else its files come one by one.
        """
      ]
    case .wrong, .careless:
      [
        """
        \(offer), of which other parts are sent than asked for: files come with them only where a \
        pack is wanted whole.
        """
      ]
    case .untried: ["\(offer)."]
    }
  }
}
