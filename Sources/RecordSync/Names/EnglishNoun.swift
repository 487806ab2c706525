/// The number of English nouns, in small letters: by a list, and by endings for those that follow
/// the rules.
enum EnglishNoun {
  /// One of what a word names several of; a word that isn't known for a plural stays.
  static func singular(of word: String) -> String {
    if let singular = EnglishNouns.singulars[word] { return singular }
    guard word.utf8.count > 2, !isSingular(word) else { return word }
    for (ending, cut, add) in singularEndings where word.hasSuffix(ending) {
      // Nothing but an ending is no word.
      if word.utf8.count > ending.utf8.count || cut == 1 { return word.dropLast(cut) + add }
    }
    return word.hasSuffix("s") && !word.hasSuffix("ss") ? String(word.dropLast()) : word
  }

  /// Several of what a word names; a plural stays.
  static func plural(of word: String) -> String {
    if let plural = EnglishNouns.plurals[word] { return plural }
    if EnglishNouns.singulars[word] != nil || EnglishNouns.unchanged.contains(word) { return word }
    if word.hasSuffix("sis") { return word.dropLast(2) + "es" }
    if word.hasSuffix("s") || word.isEmpty {
      return isSingular(word) ? word + "es" : word
    }
    if word.hasSuffix("y"), !["ay", "ey", "iy", "oy", "uy"].contains(where: word.hasSuffix) {
      return word.dropLast() + "ies"
    }
    return word + (["x", "z", "ch", "sh"].contains(where: word.hasSuffix) ? "es" : "s")
  }

  /// Whether a word is known for one thing, though it ends as if it were several.
  private static func isSingular(_ word: String) -> Bool {
    if EnglishNouns.unchanged.contains(word) || EnglishNouns.plurals[word] != nil { return true }
    return ["ss", "us", "sis"].contains(where: word.hasSuffix)
  }

  /// What words that follow the rules lose and get, the longer endings first.
  private static let singularEndings: [(ending: String, cut: Int, add: String)] = [
    ("yses", 2, "is"), ("ies", 3, "y"), ("sses", 2, ""), ("xes", 2, ""), ("ches", 2, ""),
    ("shes", 2, ""), ("zzes", 2, ""), ("tzes", 2, ""), ("oes", 2, ""), ("ouses", 1, ""),
    ("auses", 1, ""), ("uses", 2, ""), ("theses", 2, "is"),
  ]
}

/// Nouns whose number doesn't follow from their ending.
enum EnglishNouns {
  /// By the singular.
  static let plurals = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  /// By the plural; of several with one plural the first.
  static let singulars = Dictionary(
    (pairs + others).map { ($0.1, $0.0) }, uniquingKeysWith: { first, _ in first })

  /// Those that are one and several, and the words by which a name ends that isn't a noun's.
  static let unchanged = Set(
    words(
      """
      aircraft analytics chassis chaos cosmos corps cs css debris deer dns economics
      equipment ethos evidence feedback fish furniture gps hardware headquarters https information
      ios kudos kubernetes luggage mathematics means metadata money moose music news offspring
      physics politics rice series sheep sms software species staff subspecies swine tennis
      timeseries traffic weather
      at by for from in into of off on onto out over per to under up via with
      """))

  private static let pairs: [(String, String)] =
    paired(
      """
      person people salesperson salespeople child children grandchild grandchildren
      man men woman women tooth teeth foot feet mouse mice louse lice
      goose geese ox oxen datum data medium media criterion criteria phenomenon phenomena
      axis axes matrix matrices vertex vertices appendix appendices crisis crises thesis theses
      diagnosis diagnoses synopsis synopses prognosis prognoses oasis oases
      neurosis neuroses psychosis psychoses sclerosis scleroses
      leaf leaves life lives wife wives knife knives half halves shelf shelves self selves
      wolf wolves calf calves loaf loaves thief thieves elf elves
      quiz quizzes alias aliases atlas atlases bias biases canvas canvases gas gases iris irises
      lens lenses pancreas pancreases christmas christmases
      hero heroes potato potatoes tomato tomatoes echo echoes veto vetoes torpedo torpedoes
      embargo embargoes volcano volcanoes mosquito mosquitoes
      stomach stomachs monarch monarchs epoch epochs tech techs
      """) + regular.map { ($0, $0 + "s") }

  /// Further plurals of which only the singular is asked for.
  private static let others: [(String, String)] = paired(
    "index indices formula formulae corpus corpora schema schemata")

  /// Those that only get an s, though their plural ends as that of others.
  private static let regular = words(
    """
    auntie birdie bookie brownie calorie cookie cutie die foodie freebie genie goalie hippie
    hoodie indie junkie lie movie necktie newbie pie pixie prairie rookie selfie smoothie sortie
    techie tie veggie zombie
    ache avalanche cache cliche headache niche psyche quiche tranche
    axe shoe toe foe hoe canoe oboe horseshoe aloe doe
    abuse excuse fuse muse recluse refuse ruse use
    api cpu emoji emu gnu gpu guru haiku kiwi kpi menu poi safari ski sku taxi ui uri wiki
    """)

  private static func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  private static func paired(_ text: String) -> [(String, String)] {
    let words = words(text)
    return stride(from: 0, to: words.count - 1, by: 2).map { (words[$0], words[$0 + 1]) }
  }
}
