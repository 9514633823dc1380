import Catalog
import Testing

@testable import Keeping

/// What is served while names come and go: pure, with a false clock. Domains, certificates and the
/// hosts of a list are kept by the same rules.
@Suite struct ScenarioTests {
  /// What the names are.
  enum Kind: String, CaseIterable {
    case domains, certificates, hosts

    func subject(_ count: Int) -> any KeptSubject {
      switch self {
      case .domains: NamesInFolder<DomainKeeper>(count)
      case .certificates: NamesInFolder<CertificateKeeper>(count)
      case .hosts: HostsOfList(count)
      }
    }
  }

  enum Step {
    /// These names are written, one after each pause in milliseconds.
    case write(Range<Int>, every: Int64 = 0)
    case remove(Range<Int>, every: Int64 = 0)
    /// A name is there for a second and missing for a second, this many times.
    case flicker(name: Int, times: Int)
    /// From now on nothing can be read.
    case close
    case open
    /// An operator lets everything be read again.
    case reload
    case wait(seconds: Int64)
    case confirm
    /// The number of names that are served, and whether a loss is held.
    case expect(served: Int, isHeld: Bool = false)
  }

  struct Scenario: CustomTestStringConvertible, Sendable {
    let kind: Kind
    let description: String
    let names: Int
    let steps: [Step]
    var testDescription: String { "\(kind.rawValue): \(description)" }
  }

  /// A row of the table.
  private static func row(
    _ description: String, _ names: Int, of kinds: [Kind] = Kind.allCases, _ steps: Step...
  ) -> [Scenario] {
    kinds.map { Scenario(kind: $0, description: description, names: names, steps: steps) }
  }

  static let scenarios = [
    row(
      "one of many is removed", 20,
      .remove(0..<1), .wait(seconds: 4), .expect(served: 20), .wait(seconds: 2),
      .expect(served: 19)),
    row("one is added", 20, of: [.hosts], .write(20..<21), .expect(served: 21)),
    row(
      "one comes back in time", 20,
      .remove(0..<1), .wait(seconds: 4), .write(0..<1), .wait(seconds: 60), .expect(served: 20)),
    row(
      "one that came back is removed again", 20,
      .remove(0..<1), .wait(seconds: 4), .write(0..<1), .wait(seconds: 1), .remove(0..<1),
      .wait(seconds: 4), .expect(served: 20), .wait(seconds: 2), .expect(served: 19)),
    row(
      "every name is replaced by another one, the new ones first", 20,
      .write(20..<40), .remove(0..<20), .wait(seconds: 60), .expect(served: 40, isHeld: true)),
    row(
      "every name is replaced by another one, the old ones first", 20,
      .remove(0..<20), .write(20..<40), .wait(seconds: 60), .expect(served: 40, isHeld: true)),
    row(
      "the new names come some seconds before", 20,
      .write(20..<60), .wait(seconds: 4), .remove(0..<20), .wait(seconds: 60),
      .expect(served: 60, isHeld: true)),
    row(
      "half of the names are replaced", 20,
      .write(20..<30), .remove(0..<10), .wait(seconds: 60), .expect(served: 20)),
    row(
      "three of four are removed", 4,
      .remove(0..<3), .wait(seconds: 60), .expect(served: 4, isHeld: true), .confirm,
      .expect(served: 1)),
    row(
      "names that came a moment ago are no loss", 4,
      .write(4..<20), .wait(seconds: 1), .remove(4..<20), .wait(seconds: 60), .expect(served: 4)),
    row(
      "names that have been there for a while are one", 4,
      .write(4..<20), .wait(seconds: 6), .remove(4..<20), .wait(seconds: 60),
      .expect(served: 20, isHeld: true)),
    row(
      "everything is removed slowly", 200,
      .remove(0..<200, every: 100), .wait(seconds: 60), .expect(served: 200, isHeld: true)),
    row(
      "everything is removed, and copied again at once", 100,
      .remove(0..<100), .write(0..<100), .wait(seconds: 60), .expect(served: 100)),
    row(
      "most names are removed, and copied again with another one", 6,
      .remove(1..<6), .write(1..<7, every: 1_000), .wait(seconds: 60), .expect(served: 7)),
    row(
      "everything is removed, and copied again within half a minute", 300,
      .remove(0..<300), .wait(seconds: 6), .expect(served: 300, isHeld: true),
      .write(0..<300, every: 100), .wait(seconds: 2), .expect(served: 300)),
    row(
      "everything is removed, and copied again within ten minutes", 300,
      .remove(0..<300), .write(0..<300, every: 2_000), .wait(seconds: 2), .expect(served: 300)),
    row(
      "everything is removed, and copied again with pauses that are almost too long", 100,
      .remove(0..<100), .write(0..<100, every: 4_000), .wait(seconds: 60), .expect(served: 100)),
    row(
      "a loss stays held until nothing is missing", 20,
      .remove(0..<15), .wait(seconds: 6), .write(0..<10), .wait(seconds: 600),
      .expect(served: 20, isHeld: true), .write(10..<15), .wait(seconds: 2), .expect(served: 20),
      .remove(0..<1), .wait(seconds: 6), .expect(served: 19)),
    row(
      "a loss is confirmed", 20,
      .remove(0..<15), .wait(seconds: 6), .expect(served: 20, isHeld: true), .confirm,
      .expect(served: 5), .remove(15..<16), .wait(seconds: 4), .expect(served: 5),
      .wait(seconds: 2), .expect(served: 4)),
    row(
      "after a confirmed loss the next one is held too", 40,
      .remove(0..<21), .wait(seconds: 6), .confirm, .expect(served: 19), .remove(21..<40),
      .wait(seconds: 60), .expect(served: 19, isHeld: true)),
    row(
      "a loss that has grown is confirmed as a whole", 20,
      .remove(0..<12), .wait(seconds: 6), .remove(12..<13), .wait(seconds: 6),
      .expect(served: 20, isHeld: true), .confirm, .expect(served: 7)),
    row(
      "one of the lost names comes back again and again, and delays no other", 20,
      .remove(0..<4), .flicker(name: 0, times: 4), .expect(served: 17), .write(0..<1)),
    row(
      "names are removed one after the other, and stay until the last one is gone for a while", 200,
      .remove(0..<30, every: 4_000), .expect(served: 200), .wait(seconds: 2),
      .expect(served: 170)),
    row(
      "names are removed slowly until most of them are gone", 40,
      .remove(0..<39, every: 4_000), .expect(served: 40), .wait(seconds: 2),
      .expect(served: 40, isHeld: true)),
    row(
      "a new name comes and goes again and again", 6,
      .flicker(name: 100, times: 60), .wait(seconds: 6), .expect(served: 6),
      .remove(0..<1), .wait(seconds: 6), .expect(served: 5)),
    row(
      "other names come and go while a loss is held", 10,
      .remove(0..<8), .wait(seconds: 6), .expect(served: 10, isHeld: true), .write(20..<30),
      .wait(seconds: 10), .remove(20..<30), .wait(seconds: 6),
      .expect(served: 10, isHeld: true)),
    row(
      "other names take the place of all, and the right ones come back", 10,
      .remove(0..<10), .write(20..<30), .wait(seconds: 6), .expect(served: 20, isHeld: true),
      .write(0..<10), .remove(20..<30), .wait(seconds: 6), .expect(served: 10)),
    row(
      "two of three are removed", 3,
      .remove(0..<2), .wait(seconds: 6), .expect(served: 1)),
    row(
      "one after the other within a minute, each long after the one before", 8,
      .remove(0..<7, every: 6_000), .wait(seconds: 60), .expect(served: 4, isHeld: true)),
    row(
      "one after the other, each a minute after the one before is gone", 8,
      .remove(0..<7, every: 66_000), .wait(seconds: 60), .expect(served: 1)),
    // The last ones.
    row(
      "three of three are removed", 3, of: [.domains, .certificates],
      .remove(0..<3), .wait(seconds: 60), .expect(served: 3, isHeld: true), .confirm,
      .expect(served: 0)),
    row(
      "of three that are away two come back", 3, of: [.domains, .certificates],
      .remove(0..<3), .wait(seconds: 6), .expect(served: 3, isHeld: true), .write(0..<2),
      .wait(seconds: 4), .expect(served: 3), .wait(seconds: 2), .expect(served: 2)),
    row(
      "three of three come back one after the other", 3, of: [.domains, .certificates],
      .remove(0..<3), .wait(seconds: 6), .expect(served: 3, isHeld: true),
      .write(0..<2, every: 2_000), .expect(served: 3), .write(2..<3), .wait(seconds: 60),
      .expect(served: 3)),
    row(
      "another name takes the place of the last one", 1, of: [.domains, .certificates],
      .remove(0..<1), .wait(seconds: 60), .expect(served: 1, isHeld: true), .write(1..<2),
      .wait(seconds: 4), .expect(served: 2), .wait(seconds: 2), .expect(served: 1)),
    row(
      "a list of three loses all of them", 3, of: [.hosts],
      .remove(0..<3), .wait(seconds: 4), .expect(served: 3), .wait(seconds: 2),
      .expect(served: 0)),
    // What only looks like a withdrawal.
    row(
      "one comes and goes without a pause", 20,
      .flicker(name: 0, times: 30), .write(0..<1), .wait(seconds: 60), .expect(served: 20)),
    row(
      "everything is read again while one is missing", 20,
      .remove(0..<1), .reload, .wait(seconds: 4), .reload, .expect(served: 20),
      .wait(seconds: 2), .expect(served: 19)),
    row(
      "everything is read again while a loss is held", 20,
      .remove(0..<15), .wait(seconds: 6), .reload, .wait(seconds: 6), .reload,
      .expect(served: 20, isHeld: true)),
    row(
      "everything is read again, and confirmed, while nothing can be read", 20,
      .close, .remove(0..<20), .reload, .confirm, .reload, .wait(seconds: 60),
      .expect(served: 20)),
    row(
      "names that were withdrawn and came back are no part of a loss", 5,
      .remove(0..<2), .wait(seconds: 6), .expect(served: 3), .write(0..<2), .wait(seconds: 2),
      .remove(2..<3), .wait(seconds: 6), .expect(served: 4)),
    // What cannot be read.
    row(
      "nothing can be read for a minute", 20,
      .close, .expect(served: 20), .wait(seconds: 60), .expect(served: 20), .open,
      .wait(seconds: 60), .expect(served: 20)),
    row(
      "what is missing has time again once everything can be read", 20,
      .remove(0..<1), .wait(seconds: 4), .close, .wait(seconds: 60), .expect(served: 20), .open,
      .wait(seconds: 4), .expect(served: 20), .wait(seconds: 2), .expect(served: 19)),
    row(
      "what is removed unseen has time from when that is seen", 20,
      .close, .remove(0..<1), .wait(seconds: 60), .expect(served: 20), .open, .wait(seconds: 4),
      .expect(served: 20), .wait(seconds: 2), .expect(served: 19)),
    row(
      "most names are removed unseen", 20,
      .close, .remove(0..<15), .wait(seconds: 60), .open, .wait(seconds: 6),
      .expect(served: 20, isHeld: true), .write(0..<15), .wait(seconds: 1), .expect(served: 20)),
    row(
      "every name is replaced unseen", 20,
      .close, .remove(0..<20), .write(20..<40), .wait(seconds: 60), .open, .wait(seconds: 60),
      .expect(served: 40, isHeld: true)),
    row(
      "a held loss outlasts a folder that cannot be read", 20,
      .remove(0..<15), .wait(seconds: 6), .close, .wait(seconds: 60), .open, .wait(seconds: 6),
      .expect(served: 20, isHeld: true), .confirm, .expect(served: 5)),
  ].flatMap(\.self)

  @Test(arguments: scenarios)
  func `what is served while names come and go`(_ scenario: Scenario) {
    var subject = scenario.kind.subject(scenario.names)
    var all = subject.names
    for step in scenario.steps {
      switch step {
      case .write(let names, let pause):
        all.formUnion(names)
        for name in names {
          subject.names.insert(name)
          pass(pause, &subject)
        }
        subject.look()
      case .remove(let names, let pause):
        for name in names {
          subject.names.remove(name)
          pass(pause, &subject)
        }
        subject.look()
      case .flicker(let name, let times):
        for _ in 0..<times {
          subject.names.insert(name)
          pass(1_000, &subject)
          subject.names.remove(name)
          pass(1_000, &subject)
        }
      case .close:
        subject.isClosed = true
        subject.look()
      case .open:
        subject.isClosed = false
        subject.look()
      case .reload: subject.reload()
      case .wait(let seconds): subject.wait(seconds * 1000)
      case .confirm: subject.confirm()
      case .expect(let served, let isHeld):
        #expect(subject.served.count == served)
        #expect(subject.isHeld == isHeld)
      }
    }
    // Nothing was withdrawn that was served again later.
    #expect(subject.withdrawn - subject.added == scenario.names - subject.served.count)
  }

  private func pass(_ pause: Int64, _ subject: inout any KeptSubject) {
    if pause == 0 { return }
    subject.look()
    subject.wait(pause)
  }

  @Test func `a withdrawal that is put off is tried again a moment later`() {
    var run = NamesInFolder<DomainKeeper>(20)
    run.names.remove(0)
    run.look()
    #expect(run.keeper.nextWithdrawal == run.now + 5_000)
    run.now += 6_000
    // The folder does not answer.
    _ = run.step(.time)
    #expect(run.keeper.nextWithdrawal == run.now + ObservationLimits.settlingTime)
  }

  @Test func `what vanishes while a loss is confirmed is not confirmed`() {
    var run = NamesInFolder<DomainKeeper>(20)
    run.names.subtract(0..<15)
    run.wait(6_000)
    run.vanishing = 15
    run.confirm()
    #expect(run.served == Set(15..<20))
    // It is a loss of its own, and a small one.
    run.wait(4_000)
    #expect(run.served.contains(15))
    run.wait(2_000)
    #expect(!run.served.contains(15) && !run.isHeld)
  }
}
