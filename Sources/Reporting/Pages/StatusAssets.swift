extension StatusAssets {
  /// The styles that only the status pages use.
  static let style =
    #"""
    /* A sign and words tell domains apart, too. Read this after the parts that all pages share. */
    nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; font-size: 0.875rem; }
    nav a { display: inline-block; min-height: 1.5rem; }
    nav a[aria-current] { color: var(--ink); font-weight: 650; text-decoration: none; }
    #band #state { font-size: clamp(1.375rem, 1rem + 1.8vw, 2.25rem); }
    #content:focus { outline: none; }
    footer { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: center; padding: 0 clamp(0.5rem, 3vw, 2.5rem) 2rem; }
    #renewing { display: flex; gap: 0.75rem; align-items: center; }
    .command { user-select: all; }
    .copy + .copy { margin-top: 0.375rem; }
    .message { margin: 0.25rem 0; }
    .note { padding: 0.5rem 0.75rem; border-left: 4px solid var(--edge); background: var(--raised); }
    section > * + * { margin-top: 0.5rem; }
    section li { overflow-wrap: anywhere; }
    section li + li { margin-top: 0.375rem; }

    /* Pictures */

    .bar { display: block; width: 100%; height: 1.25rem; border-radius: 4px; }
    .keys { display: flex; flex-wrap: wrap; gap: 0.125rem 1rem; font-size: 0.875rem; }
    .keys li { margin: 0; }
    .key { display: inline-block; width: 0.75rem; height: 0.75rem; margin-right: 0.375rem; border-radius: 2px; background: currentColor; }
    [data-domains] { fill: var(--mark); color: var(--mark); }
    [data-domains="served"] { --mark: var(--good); }
    [data-domains="flawed"], [data-domains="last-good"] { --mark: var(--warn); }
    [data-domains="refused"] { --mark: var(--bad); }
    [data-domains="empty"] { --mark: var(--edge); }
    figure.chart { width: 100%; max-width: 36rem; }
    .chart svg { display: block; width: 100%; height: auto; }
    .chart figcaption { text-align: left; font: 0.8125rem/1.4 var(--text); color: var(--quiet); }
    .chart text { fill: var(--quiet); font: 10px var(--text); text-anchor: middle; }
    .chart text.start { text-anchor: start; }
    .chart text.end { text-anchor: end; }
    .axis { fill: none; stroke: var(--line); }
    polyline { fill: none; stroke: var(--mark); stroke-width: 2; stroke-linejoin: round; }
    [data-fetcher] { --mark: var(--quiet); color: var(--mark); }
    [data-fetcher="cdn"] { --mark: var(--accent); }
    [data-fetcher="device"] { --mark: var(--good); }
    polyline[data-fetcher="device"] { stroke-dasharray: 8 3; }
    [data-fetcher="google"] { --mark: var(--warn); }
    polyline[data-fetcher="google"] { stroke-dasharray: 3 3; }
    polyline[data-fetcher="other"] { stroke-dasharray: 1 3; stroke-linecap: round; }
    [data-expiry="expired"] { fill: var(--bad); }
    [data-expiry="soon"] { fill: var(--warn); }
    [data-expiry="later"] { fill: var(--accent); }

    /* The table: a list of cards where it is narrow */

    .filter { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: center; }
    .filter input[type="text"] { flex: 1 1 12rem; width: auto; min-width: 0; }
    .filter label { font-size: 0.875rem; }
    .pages { margin-top: 0.75rem; }
    th[aria-sort] a::after { content: " ↑"; content: " ↑" / ""; }
    th[aria-sort="descending"] a::after { content: " ↓"; content: " ↓" / ""; }
    tbody th { font-weight: 600; }
    .domains td { overflow-wrap: normal; }
    @media (max-width: 56rem) {
      .domains, .domains tbody, .domains thead, .domains tr { display: block; }
      .domains thead tr { display: flex; flex-wrap: wrap; gap: 0 0.75rem; border-bottom: 1px solid var(--line); }
      .domains th, .domains td { display: block; border: 0; padding: 0.125rem 0; }
      .domains tbody tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
      .domains td::before { content: attr(data-name) ": "; color: var(--quiet); }
    }

    /* The file */

    #file-text { max-height: 40rem; padding: 0.5rem 0; overflow-y: auto; border: 1px solid var(--line); border-radius: 6px; background: var(--page); }
    #file-text .message { margin: 0.25rem 0.75rem 0.5rem 3.5rem; }

    """#

  /// The script that updates the status pages without disturbing the reader.
  static let script =
    #"""
    // Updates the page every ten seconds. Without this script, the page keeps its first content.

    const PAUSE = 10_000;
    const byId = (id) => document.getElementById(id);
    const parts = ["band", "content", "made"];
    let isPaused = false;

    /// Whether a part of the page has the focus or selected text.
    function isInUse(part) {
      const selection = getSelection();
      return part.contains(document.activeElement) && document.activeElement !== part
        || (!selection.isCollapsed && selection.anchorNode !== null && part.contains(selection.anchorNode));
    }

    async function renew() {
      if (isPaused || document.hidden) return;
      const offline = byId("offline");
      try {
        const answer = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout(PAUSE), headers: { Accept: "text/html" } });
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        for (const id of parts) {
          const [old, fresh] = [byId(id), page.getElementById(id)];
          if (fresh && !isInUse(old) && !old.isEqualNode(fresh)) replace(old, fresh);
        }
        offline.hidden = true;
        byId("renewed").textContent = `renewed at ${new Date().toLocaleTimeString()}`;
      } catch {
        byId("offline-text").textContent = "The server does not answer. This page shows its last state.";
        offline.hidden = false;
      }
    }

    /// Replaces a part of the page by its new version. Keeps the scroll position of the file's
    /// text.
    function replace(old, fresh) {
      const top = old.querySelector("#file-text")?.scrollTop;
      old.replaceWith(document.adoptNode(fresh));
      if (top) byId("file-text").scrollTop = top;
    }

    byId("pause").addEventListener("click", () => {
      isPaused = !isPaused;
      byId("pause").textContent = isPaused ? "Renew again" : "Pause";
      byId("renewed").textContent = isPaused ? "paused" : "";
      renew();
    });
    byId("renewed").textContent = "renewed every 10 seconds";
    byId("renewing").hidden = false;
    setInterval(renew, PAUSE);

    """#
}
