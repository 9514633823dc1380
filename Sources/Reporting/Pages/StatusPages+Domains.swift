internal import Bytes
internal import Catalog
internal import Keeping
internal import Server
internal import Settings

/// The table of domains.
extension StatusPages {
  private var times: Times { Times(now: document.now) }

  func domains(_ query: DomainQuery) -> Page {
    let part = query.part(of: document.status)
    let all = document.status.catalog.sites.count
    let start = (part.page - 1) * DomainQuery.rows
    let headline =
      part.count == all
      ? all.counting("domain") : "\(part.count) of \(all) domains"
    return Page(
      title: "Domains", state: "list", headline: headline,
      more: part.sites.isEmpty
        ? "" : "\(start + 1) to \(start + part.sites.count), page \(part.page) of \(part.pages)",
      content: """
        <section id="table" aria-labelledby="table-title">
        <h2 id="table-title" class="unseen">The entries of the domains folder</h2>
        \(form(query))\(served(query))\(part.sites.isEmpty
          ? "<p class=\"empty\">No entry has this name.</p>" : table(part.sites, query))
        \(pages(part, query))
        </section>
        """)
  }

  private func form(_ query: DomainQuery) -> String {
    let states = HostingStatus.State.allCases.map { state in
      "<option value=\"\(state.rawValue)\"\(query.state == state ? " selected" : "")>"
        + "\(state.words)</option>"
    }
    func hidden(_ name: String, _ value: String) -> String {
      "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
    }
    return """
      <form action="/domains" class="filter">
      <label for="search">Name contains</label>
      <input type="text" id="search" name="search" value="\(pageText(query.search))" \
      autocomplete="off" autocapitalize="off" spellcheck="false">
      <label for="of">State</label>
      <select id="of" name="state"><option value="">all</option>\(states.joined())</select>
      \(query.order == .name ? "" : hidden("sort", query.order.rawValue))\
      \(query.isDescending ? hidden("order", "down") : "")
      <button>Show</button>
      </form>

      """
  }

  /// If the search text is a host, and an entry with a different name serves this host, returns a
  /// link to the host's page. Otherwise returns an empty string.
  private func served(_ query: DomainQuery) -> String {
    guard let site = document.site(of: query.search), site.name.entryName != query.search else {
      return ""
    }
    let name = pageText(query.search)
    return "<p class=\"verdict\"><a href=\"\(pageText(domainPath(query.search)))\">\(name)</a> is "
      + "served by \(pageText(site.name.entryName))</p>\n"
  }

  private func table(_ sites: [Site], _ query: DomainQuery) -> String {
    let columns: [(order: DomainQuery.Order, name: String)] = [
      (.name, "Domain"), (.state, "State"), (.since, "This version since"),
      (.cdn, "Apple's CDN has it"), (.devices, "Devices last"), (.certificate, "Certificate until"),
    ]
    let heads = columns.map { order, name in
      let isSorted = query.order == order
      let next = query.with {
        $0.isDescending = isSorted && !query.isDescending
        ($0.order, $0.page) = (order, 1)
      }
      let sorted = query.isDescending ? "descending" : "ascending"
      return """
        <th scope="col"\(isSorted ? " aria-sort=\"\(sorted)\"" : "")>\
        <a href="\(pageText(next.target))">\(name)</a></th>
        """
    }
    let rows = sites.map { site in
      let name = site.name.entryName
      let state = document.status.state(of: site)
      let cells = [
        "<span class=\"key\" data-domains=\"\(state.rawValue)\"></span>\(state.words)",
        Times.date(site.since), pageText(cdn(site)),
        pageText(site.lastFetch(.appleDevice).map { times.ago($0.time) } ?? "never"),
        pageText(certificate(site.name)),
      ]
      return """
        <tr><th scope="row"><a href="\(pageText(domainPath(name)))">\(pageText(name))</a></th>\
        \(zip(columns.dropFirst(), cells).map {
          "<td data-name=\"\(pageText($0.name))\">\($1)</td>"
        }.joined())</tr>

        """
    }
    return """
      <table class="domains"><caption class="unseen">Domains, \(DomainQuery.rows) at a time. The
      column headings sort them.</caption>
      <thead><tr>\(heads.joined())</tr></thead>
      <tbody>\(rows.joined())</tbody></table>
      """
  }

  private func cdn(_ site: Site) -> String {
    guard let fetch = site.lastFetch(.appleCDN) else { return "never fetched" }
    let isCurrent = fetch.version == site.version(of: WellKnownFiles.association)
    return "\(isCurrent ? "yes" : "no, an older one"), \(times.ago(fetch.time))"
  }

  private func certificate(_ name: DomainName) -> String {
    guard document.status.hasHTTPS else { return "without HTTPS" }
    guard let expiry = document.status.expiry(of: name) else { return "none" }
    return expiry < document.now ? "EXPIRED \(times.ago(expiry))" : Times.date(expiry)
  }

  private func pages(_ part: DomainQuery.Part, _ query: DomainQuery) -> String {
    func link(_ page: Int, _ words: String) -> String {
      guard page != part.page, (1...part.pages).contains(page) else { return "" }
      let target = query.with { $0.page = page }.target
      return "<a href=\"\(pageText(target))\">\(words)</a>"
    }
    if part.pages == 1 { return "" }
    return """
      <nav class="pages" aria-label="Pages of the table">\
      \(link(1, "First")) \(link(part.page - 1, "Previous")) \
      <span>page \(part.page) of \(part.pages)</span> \
      \(link(part.page + 1, "Next")) \(link(part.pages, "Last"))</nav>
      """
  }
}
