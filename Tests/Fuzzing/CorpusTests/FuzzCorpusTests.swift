import FuzzTargets
import TestSupport
import XCTest

/// What `Tests/run --fuzz` does at random, in small: the inputs that are kept, and as many seeded
/// mutations of them as a few seconds allow, so that machines without libFuzzer try something too.
final class FuzzCorpusTests: XCTestCase {
  /// Mutations of each target; a tenth for those that write files.
  private let mutations = 200

  func testEveryTargetHasAFolderOfInputsAndEveryFolderATarget() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Corpus.folder.path)
    XCTAssertEqual(folders.sorted(), FuzzTarget.all.map(\.name).sorted())
    for name in folders { XCTAssertFalse(try Corpus.inputs(of: name).isEmpty, name) }
  }

  func testEveryKeptInputKeepsEveryPromise() throws {
    for target in FuzzTarget.all {
      for (name, bytes) in try Corpus.inputs(of: target.name) {
        check(bytes, target, "the kept input \(target.name)/\(name)")
      }
    }
  }

  func testMutationsOfKeptInputsKeepEveryPromise() throws {
    for target in FuzzTarget.all {
      let inputs = try Corpus.inputs(of: target.name).map(\.bytes)
      let isSlow = target.name.hasPrefix("index")
      for seed in 0..<UInt64(isSlow ? mutations / 10 : mutations) {
        var mutator = Mutator(seed: seed)
        let bytes = mutator.mutation(of: inputs, longest: target.longest)
        check(bytes, target, "mutation \(seed) of \(target.name): \(Array(bytes.prefix(400)))")
      }
    }
  }

  private func check(_ bytes: [UInt8], _ target: FuzzTarget, _ what: String) {
    do {
      try target.check(bytes)
    } catch {
      XCTFail("\(what): \(error)")
    }
  }
}
