import OneWaySynchronizer

/// Checks with previews, whatever the program's options are. A processor that has none has nothing
/// to get wrong.
extension ContractCases {
  nonisolated(nonsending) func previews(_ make: Maker) async throws {
    var options = options
    (options.downloadPreview, options.downloadContent, options.stopOnError) = (true, true, false)
    try await inCase(make, options: options, repeatedPass)
    for place in [1, 4] {
      try await inCase(make, options: options) { one in
        try await previewWithoutContent(one, place)
      }
      for isOurs in [true, false] {
        try await inCase(make, options: options) { one in
          try await contentWithoutPreview(one, place, isOurs: isOurs)
        }
      }
    }
  }

  /// The preview comes and the content doesn't: so the next pass fetches that.
  private nonisolated(nonsending) func previewWithoutContent(
    _ one: Case, _ place: Int
  ) async throws {
    let key = try await fillAndChange(one).keys[place]
    let reported = one.reported
    let disturbance = Disturbance<ID>.fail(.content(key))
    guard let pass = try await one.pass(disturbance), pass.notes.tried.contains(key)
    else { return }
    one.judge(pass, disturbance) { $0 == key ? .untouched : .renewed }
    try one.endCase(ifMoreThan: reported)
    guard let next = try await one.pass() else { return }
    let isListed = next.notes.list?.keys.contains(key) ?? false
    if isListed, next.succeeded, !next.notes.tried.contains(key) {
      try one.endCase(by: .previewTakenForContent, [key], during: .none)
    }
    try one.judgeClean(next)
  }

  /// The preview fails, and the content comes all the same.
  private nonisolated(nonsending) func contentWithoutPreview(
    _ one: Case, _ place: Int, isOurs: Bool
  ) async throws {
    let key = try await fillAndChange(one).keys[place]
    let reported = one.reported
    let disturbance: Disturbance<ID> = isOurs ? .fail(.preview(key)) : .breakSource(.preview(key))
    guard let pass = try await one.pass(disturbance),
      isOurs || pass.notes.wasIntercepted
    else { return }
    let failure = pass.failures.first { $0.key == key && $0.stage == .downloadContents }
    if let failure {
      try one.endCase(by: .previewNeeded("\(failure.cause)"), [key], during: disturbance)
    }
    one.judge(pass, disturbance)
    try one.endCase(ifMoreThan: reported)
    try await cleanPass(one, touching: [key])
  }
}
