/// What is decided in every case: one line for all policies, or one for each in their order.
struct MeetingRow {
  let here: [HereCase]
  let there: [ThereCase]
  let decisions: [String]

  private init(_ here: [HereCase], _ there: [ThereCase], _ decisions: [String]) {
    self.here = here
    self.there = there
    self.decisions = decisions
  }

  private static let made: [HereCase] = [.created, .createdAndSent]
  private static let changed: [HereCase] = [.edited, .editedAndSent, .editedAfterSentDeletion]
  private static let gone: [HereCase] = [.deleted, .deletedAndSent, .deletedButMadeHere]

  static let all = whereNothingWasEdited + whereOneWasMade + whereOneWasEdited + whereOneWasDeleted

  private static let whereNothingWasEdited = [
    MeetingRow([.nothing], [.known], ["apply B1"]),
    MeetingRow([.nothing], [.renewed, .revivedAlike], ["apply B2"]),
    MeetingRow([.synced], [.known], ["nothing"]),
    MeetingRow([.synced], [.renewed, .revivedAlike], ["acknowledge B2"]),
    MeetingRow([.nothing, .synced], [.other], ["apply O2"]),
    MeetingRow([.nothing, .synced], [.clashing], ["apply C2"]),
    MeetingRow([.nothing, .synced], [.equal, .revivedEqual], ["apply E2"]),
    MeetingRow([.nothing, .synced], [.sent, .revivedAsSent], ["apply P2"]),
    MeetingRow([.nothing, .synced], [.revived], ["apply R2"]),
    MeetingRow([.nothing], [.deleted, .forgotten], ["nothing"]),
    MeetingRow([.synced], [.deleted, .forgotten], ["remove"]),
  ]

  private static let whereOneWasMade = [
    MeetingRow(
      made, [.known],
      [
        "apply B1 by serverWins − here E", "rebase E on B1 by localWins − there B",
        "give up none/E/B by localWins", "apply B1 by merge+serverWins − here a=2",
        "rebase E on B1 by latest − there a=1", "park none/E/B by ask",
      ]),
    MeetingRow(
      made, [.renewed, .revivedAlike],
      [
        "apply B2 by serverWins − here E", "rebase E on B2 by localWins − there B",
        "give up none/E/B by localWins", "apply B2 by merge+serverWins − here a=2",
        "apply B2 by latest − here a=2", "park none/E/B by ask",
      ]),
    MeetingRow(
      made, [.other],
      [
        "apply O2 by serverWins − here E", "rebase E on O2 by localWins − there O",
        "give up none/E/O by localWins", "apply O2 by merge+serverWins − here a=2 − here b=1",
        "apply O2 by latest − here a=2 − here b=1", "park none/E/O by ask",
      ]),
    MeetingRow(
      made, [.clashing],
      [
        "apply C2 by serverWins − here E", "rebase E on C2 by localWins − there C",
        "give up none/E/C by localWins", "apply C2 by merge+serverWins − here a=2",
        "apply C2 by latest − here a=2", "park none/E/C by ask",
      ]),
    MeetingRow(made, [.equal, .revivedEqual], ["settle E2 by agreement"]),
    MeetingRow(
      [.created], [.sent, .revivedAsSent],
      [
        "apply P2 by serverWins − here E", "rebase E on P2 by localWins − there P",
        "give up none/E/P by localWins", "apply P2 by merge+serverWins − here a=2",
        "apply P2 by latest − here a=2", "park none/E/P by ask",
      ]),
    MeetingRow([.createdAndSent], [.sent, .revivedAsSent], ["rebase E on P2 by own send"]),
    MeetingRow(
      made, [.revived],
      [
        "apply R2 by serverWins − here E", "rebase E on R2 by localWins − there R",
        "give up none/E/R by localWins", "rebase U on R2 by merge", "rebase U on R2 by latest",
        "park none/E/R by ask",
      ]),
    // The server speaks of one that was there before.
    MeetingRow(made, [.deleted, .forgotten], ["nothing"]),
  ]

  private static let whereOneWasEdited = [
    MeetingRow(changed, [.known], ["nothing"]), MeetingRow(changed, [.renewed], ["rebase E on B2"]),
    MeetingRow(
      changed, [.other],
      [
        "apply O2 by serverWins − here E", "rebase E on O2 by localWins − there O",
        "give up B/E/O by localWins", "rebase M on O2 by merge", "rebase M on O2 by latest",
        "park B/E/O by ask",
      ]),
    MeetingRow(
      changed, [.clashing],
      [
        "apply C2 by serverWins − here E", "rebase E on C2 by localWins − there C",
        "give up B/E/C by localWins", "apply C2 by merge+serverWins − here a=2",
        "apply C2 by latest − here a=2", "park B/E/C by ask",
      ]),
    MeetingRow(changed, [.equal, .revivedEqual], ["settle E2 by agreement"]),
    MeetingRow(
      [.edited, .editedAfterSentDeletion], [.sent],
      [
        "apply P2 by serverWins − here E", "rebase E on P2 by localWins − there P",
        "give up B/E/P by localWins", "apply P2 by merge+serverWins − here a=2",
        "apply P2 by latest − here a=2", "park B/E/P by ask",
      ]),
    MeetingRow([.editedAndSent], [.sent, .revivedAsSent], ["rebase E on P2 by own send"]),
    MeetingRow(changed, [.revived], edited(meetsRevived: "R")),
    MeetingRow(changed, [.revivedAlike], edited(meetsRevived: "B")),
    MeetingRow([.edited, .editedAfterSentDeletion], [.revivedAsSent], edited(meetsRevived: "P")),
    MeetingRow(
      [.edited, .editedAndSent], [.deleted],
      [
        "remove by serverWins − here E deleted", "make E again by localWins",
        "give up B/E/none by localWins", "remove by merge − here E deleted",
        "remove by latest − here E deleted", "park B/E/none by ask",
      ]),
    MeetingRow([.editedAfterSentDeletion], [.deleted], ["make E again by own send"]),
    MeetingRow(
      changed, [.forgotten],
      [
        "remove by serverWins − here E forgotten", "make E again by localWins",
        "make E again by localWins", "make E again by merge", "make E again by latest",
        "park B/E/none by ask",
      ]),
  ]

  private static func edited(meetsRevived letter: String) -> [String] {
    [
      "apply \(letter)2 by serverWins − here E deleted",
      "rebase E on \(letter)2 by localWins − there \(letter)",
      "give up B/E/\(letter) by localWins", "apply \(letter)2 by merge − here E deleted",
      "apply \(letter)2 by latest − here E deleted", "park B/E/\(letter) by ask",
    ]
  }

  private static let whereOneWasDeleted = [
    MeetingRow([.deleted, .deletedAndSent], [.known], ["nothing"]),
    MeetingRow([.deleted, .deletedAndSent], [.renewed], ["keep tombstone of B2"]),
    MeetingRow(
      [.deletedButMadeHere], [.known], ["keep tombstone of B1 by deletion − there B deleted"]),
    MeetingRow(
      [.deletedButMadeHere], [.renewed], ["keep tombstone of B2 by deletion − there B deleted"]),
    MeetingRow(gone, [.other], ["keep tombstone of O2 by deletion − there O deleted"]),
    MeetingRow(gone, [.clashing], ["keep tombstone of C2 by deletion − there C deleted"]),
    MeetingRow(gone, [.equal], ["keep tombstone of E2 by deletion − there E deleted"]),
    MeetingRow([.deleted], [.sent], ["keep tombstone of P2 by deletion − there P deleted"]),
    MeetingRow([.deleted], [.revivedAsSent], ["apply P2"]),
    MeetingRow(
      [.deletedAndSent, .deletedButMadeHere], [.sent, .revivedAsSent],
      ["keep tombstone of P2 by own send"]),
    MeetingRow(gone, [.revived], ["apply R2"]), MeetingRow(gone, [.revivedAlike], ["apply B2"]),
    MeetingRow(gone, [.revivedEqual], ["apply E2"]),
    MeetingRow(gone, [.deleted, .forgotten], ["drop tombstone"]),
  ]
}
