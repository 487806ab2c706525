/// What happened in a simulation, as one number: two runs that drew the same jobs and saw the same
/// things have the same digest (FNV-1a, Fowler, Noll and Vo).
struct Trace: Sendable {
  private(set) var digest: UInt64 = 0xcbf2_9ce4_8422_2325
  /// The last notes, oldest first; only of a run that is looked at closely.
  private(set) var notes: [String] = []
  let keepsNotes: Bool

  init(keepsNotes: Bool) {
    self.keepsNotes = keepsNotes
  }

  mutating func mix(_ number: Int) {
    digest = (digest ^ UInt64(truncatingIfNeeded: number)) &* 0x0000_0100_0000_01b3
  }

  /// Mixes in a sentence, byte by byte, but not the detail, which may hold random names.
  mutating func note(_ text: String, _ detail: () -> String, step: Int) {
    for byte in text.utf8 { mix(Int(byte)) }
    guard keepsNotes else { return }
    notes.append("\(step): \(text) \(detail())")
    if notes.count > 2_000 { notes.removeFirst(1_000) }
  }
}
