import Foundation
public import Testing

/// Whether the long tests were asked for: by `Tests/check waiting stress`, or with AASA_STRESS=1.
public let isStress = ProcessInfo.processInfo.environment["AASA_STRESS"] == "1"

extension Trait where Self == ConditionTrait {
  /// Takes minutes, many processes or much memory: too much for every `swift test`.
  public static var stress: Self {
    .enabled(if: isStress, "long: run it with Tests/check waiting stress")
  }
}

/// How often something random is tried: a sample in every run, all of it under stress.
public func rounds(_ sample: Int, stress all: Int) -> Int { isStress ? all : sample }

/// Some of many inputs, spread evenly, the first and the last among them; all of them under stress.
public func sample<Input>(_ all: some Collection<Input>, of count: Int) -> [Input] {
  let all = Array(all)
  if isStress || all.count <= count { return all }
  return (0..<count).map { all[$0 * (all.count - 1) / (count - 1)] }
}
