import CatalogSupport
import Diagnostics
import Foundation
import Posix
import TLS
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

extension PatientWork {
  /// Waits as long as anything takes on any machine.
  static var untiring: PatientWork { PatientWork(patience: 45_000) }
}

/// Loaders, driven scan by scan. Files are read as they are, because nobody writes meanwhile.
extension DomainLoader {
  /// A loader for a folder. Missing files may be withdrawn at once.
  init(root: String, _ change: (inout HostingOptions) -> Void = { _ in }) {
    var options = HostingOptions()
    options.domains = root
    options.cacheControl = "no-cache"
    options.withdrawAfter = 0
    options.threads = 1
    change(&options)
    self.init(options, work: .untiring)
  }

  var sites: [Site] { states.values.map(\.site) }

  func site(_ name: String) -> Site? { states[.named(name)]?.site }

  /// Reads everything that is new or has changed.
  mutating func scanAll(_ depth: DomainReader.Depth = .rules, threads: Int = 1) -> Outcome {
    scanFolder(.init(depth: depth, isFinal: true, threads: threads), isWhole: true)
  }

  /// Reads some domains.
  mutating func scan(_ names: String...) -> Outcome {
    scan(names.map { DomainName.named($0) }, .init(isFinal: true))
  }

  /// Withdraws files that have been missing for long enough. Waits for domains with another file
  /// that changed a moment ago.
  mutating func withdraw() -> Outcome {
    var outcome = Outcome()
    repeat {
      outcome.again = []
      outcome += withdrawMissing()
    } while outcome.again.contains {
      $0.time <= Posix.Clock.monotonicMilliseconds() + ObservationLimits.settlingTime
    }
    return outcome
  }

  /// Reads everything, and withdraws missing files.
  mutating func scanAndWithdraw() -> Outcome {
    var outcome = scanAll()
    let again = outcome.again
    outcome += withdraw()
    outcome.again = again
    return outcome
  }

  /// Confirms all that is held.
  mutating func confirmAll() -> Outcome {
    let ids = Set(holds.map(\.id))
    let outcome = confirm(ids)
    #expect(outcome.confirmed == ids)
    return outcome
  }

  /// Whether reading any domain again could find something else.
  var isEverythingCurrent: Bool { changed(states.keys).isEmpty }
}

extension Outcome {
  var codes: [String] { report.diagnostics.map(\.code) }

  /// The domains to scan again.
  var domainsAgain: [DomainName] {
    again.compactMap { if case .domain(let name) = $0.key { name } else { nil } }
  }
}

extension CertificateLoader {
  /// A loader for a folder. Missing files may be withdrawn at once.
  init(root: String, _ change: (inout HostingOptions) -> Void = { _ in }) {
    var options = HostingOptions()
    options.certificates = root
    options.withdrawAfter = 0
    change(&options)
    self.init(options, root: root, work: .untiring)
  }

  /// Reads files that are new or have changed, and those of some names in the folder.
  mutating func scan(_ names: String...) -> Outcome {
    scan(Set(names), isFinal: true)
  }

  /// Scans until files that look half-written count: goes on to each time that a scan names, for
  /// ten seconds at most.
  mutating func scanUntilSettled() -> Outcome {
    let end = clock() + 10_000
    while true {
      let outcome = scan()
      guard let next = outcome.again.map(\.time).min(), next < end else { return outcome }
      let wait = max(1, next - clock())
      let before = clock
      clock = { before() + wait }
    }
  }

  mutating func withdraw() -> Outcome { withdrawMissing() }

  /// Confirms all that is held.
  mutating func confirm() -> Outcome {
    let ids = Set(holds.map(\.id))
    let outcome = confirm(ids)
    #expect(outcome.confirmed == ids)
    return outcome
  }

  /// Lets OpenSSL judge everything.
  mutating func finishBackgroundWork() -> [Outcome] {
    var outcomes: [Outcome] = []
    while hasBackgroundWork {
      outcomes.append(workInBackground(milliseconds: 0))
    }
    return outcomes
  }

  /// Which hosts have a certificate.
  func covers(_ hosts: String...) -> [Bool] {
    let material = material(ticketKeys: TicketKeys(), selfSigned: nil)
    return hosts.map { material.covers($0) }
  }
}
