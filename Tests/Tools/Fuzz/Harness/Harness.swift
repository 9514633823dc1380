#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The fuzz targets: one line for each. Each traps if the code under test breaks a promise.
let targets: [String: @Sendable ([UInt8]) -> Void] = [
  "json": fuzzJSON,
  "request": fuzzRequest,
  "response": fuzzResponse,
  "pem": fuzzPEM,
  "cms": fuzzCMS,
  "pattern": fuzzPattern,
  "url": fuzzURL,
  "rules": fuzzRules,
  "languages": fuzzLanguages,
  "configuration": fuzzConfiguration,
  "folders": fuzzFolders,
  "proxy": fuzzProxy,
  "apps": fuzzAppFiles,
  "links": fuzzAssetLinks,
  "android": fuzzAndroid,
  "paths": fuzzPaths,
  "checking": fuzzChecking,
  "dns": fuzzDNS,
  "acme": fuzzACME,
  "state": fuzzState,
]

/// The target that the variable FUZZ_TARGET names.
private let target: @Sendable ([UInt8]) -> Void = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = targets[name] else {
    fatalError("FUZZ_TARGET must be one of: \(targets.keys.sorted().joined(separator: " "))")
  }
  return target
}()

/// The program's entry, under the name that the package manager gives to an executable's `main`;
/// otherwise it would clash with libFuzzer's own.
@_cdecl("fuzz_main")
func run(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
  var count = count
  var arguments = arguments
  return runDriver(&count, &arguments) { start, count in
    target(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
  }
}

/// libFuzzer as a library (llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library").
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
