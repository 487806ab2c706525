/// Writes one part of a ``StagedParts``, from its beginning on. One user at a time; calls block on
/// the disk.
package final class PartWriter: @unchecked Sendable {  // one user at a time, by contract
  private let file: StagedParts
  /// How far the part has come, with what waits in memory.
  private var place: Int64
  private var gathered: Piece?

  init(_ file: StagedParts, at offset: Int64) {
    (self.file, place) = (file, offset)
  }

  deinit {
    if let gathered { file.staging.pieces.giveBack(gathered) }
  }

  /// Appends `bytes`.
  /// - Throws: when bytes can't be written, these or earlier ones, of this part or another.
  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes
    while !rest.isEmpty {
      let piece = gathered ?? file.staging.pieces.take()
      gathered = piece
      // Pieces end where a multiple of their size does, which suits the system's memory.
      let start = place - Int64(piece.bytes.count)
      let end = Piece.size - Int(start % Int64(Piece.size))
      let before = rest.count
      rest = piece.take(rest, upTo: end)
      place += Int64(before - rest.count)
      if piece.bytes.count == end { handOn() }
    }
    try file.throwFailure()
  }

  /// Hands on what waits in memory. To be called when no more comes for now.
  package func settle() {
    if gathered != nil { handOn() }
  }

  private func handOn() {
    guard let piece = gathered else { return }
    gathered = nil
    file.put(piece, at: place - Int64(piece.bytes.count))
  }
}
