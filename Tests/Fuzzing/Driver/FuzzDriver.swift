private import CFuzzer
private import FuzzTargets
private import Foundation

// What is fuzzed is named by the environment, since libFuzzer starts itself again with its own
// arguments only.
private let asked = ProcessInfo.processInfo.environment["MIRROR_FUZZ_TARGET"]
private let target = asked.flatMap(FuzzTarget.named)

/// Runs libFuzzer over the target that `MIRROR_FUZZ_TARGET` names; without one, prints the names.
/// The arguments are libFuzzer's.
///
/// SwiftPM has the linker take this for `main`; libFuzzer brings a `main` of its own.
@_cdecl("FuzzDriver_main")
public func fuzzDriverMain(
  _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  guard target != nil else {
    let names = FuzzTarget.all.map { "\($0.name) \($0.longest)\n" }.joined()
    FileHandle.standardOutput.write(Data(names.utf8))
    return asked == nil ? 0 : 64
  }
  var count = count
  var arguments = arguments
  return LLVMFuzzerRunDriver(&count, &arguments) { start, length in
    do {
      try target?.check(Array(UnsafeBufferPointer(start: start, count: length)))
    } catch {
      fatalError("\(error)")
    }
    return 0
  }
}
