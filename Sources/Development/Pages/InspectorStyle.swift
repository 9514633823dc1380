extension DevPages {
  /// The styles that only the inspector uses.
  static let inspectorStyle =
    #"""
    .check input[type="text"] { width: 5.5rem; }
    .head > a { margin-left: auto; font-size: 0.875rem; }
    #requests .head { column-gap: 0.5rem; }
    #count { min-width: 5rem; }
    [data-state="starting"] #state::before { content: "…"; content: "…" / ""; }
    [data-state="waiting"] #state::before { animation: breathe 2.4s ease-in-out infinite; }
    @keyframes breathe { 50% { opacity: 0.3; } }
    #public-problem { margin-top: 0.75rem; max-width: 60rem; }

    /* Requests */

    #scroller {
      max-height: 22.5rem;
      margin: 0 -1rem;
      overflow-y: auto;
      border-bottom: 1px solid var(--line);
      overflow-anchor: none;
    }
    #rows { position: relative; overflow: clip; }
    #rows li { position: absolute; inset: 0 0 auto; height: 3.25rem; border-top: 1px solid var(--line); contain: strict; }
    #rows button {
      display: grid;
      grid-template: "time who method status" auto "what what what what" auto / auto 1fr auto auto;
      gap: 0 0.75rem;
      align-content: center;
      width: 100%;
      height: 100%;
      padding: 0 1rem;
      border: 0;
      border-left: 4px solid transparent;
      border-radius: 0;
      background: none;
      text-align: left;
      font: 0.8125rem/1.4 var(--code);
    }
    #rows button:hover { background: var(--raised); }
    #rows button:focus-visible { outline-offset: -3px; }
    #rows [aria-expanded="true"] { background: var(--raised); box-shadow: inset 0 0 0 2px var(--edge); }
    #rows span { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; unicode-bidi: isolate; }
    #rows .time { grid-area: time; font-variant-numeric: tabular-nums; }
    #rows .who { grid-area: who; }
    #rows .method { grid-area: method; }
    #rows .what { grid-area: what; }
    #rows .status { grid-area: status; text-align: right; }
    #rows .bytes { display: none; }
    #rows .version { display: none; grid-area: version; color: var(--quiet); }
    #rows [data-kind="association"] .what { font-weight: 600; }
    #rows [data-class="apple-device"] button { border-left-color: var(--good); }
    #rows [data-class="apple-device"] .who { color: var(--good); font-weight: 700; }
    #rows [data-status="4"] .status, #rows [data-status="5"] .status { color: var(--bad); font-weight: 700; }
    @container (min-width: 34rem) {
      #rows li { height: 2.25rem; }
      #rows button {
        grid-template: "time who method what status bytes version" auto / 4rem 5.5rem 2.5rem minmax(0, 1fr) 1.75rem 4.25rem 6rem;
        gap: 0 0.625rem;
      }
      #rows .version { display: inline; }
      #rows .bytes { display: inline; text-align: right; }
    }
    #detail { margin-top: 1rem; }
    #detail h4 { margin: 0.75rem 0 0.25rem; font-size: 0.875rem; }
    #detail pre, #file-text { border: 1px solid var(--line); border-radius: 6px; background: var(--page); }
    #detail pre { max-height: 20rem; padding: 0.625rem 0.75rem; overflow-y: auto; white-space: pre-wrap; font-size: 0.8125rem; unicode-bidi: isolate; }
    /* The file */

    #file-diagnostics { display: grid; gap: 0.25rem; margin-top: 0.5rem; font-size: 0.875rem; overflow-wrap: anywhere; }
    #file-diagnostics .message { margin: 0; }
    #file-changes { margin-top: 0.5rem; }
    #file-text { max-height: 32rem; margin-top: 0.75rem; padding: 0.5rem 0; overflow-y: auto; }
    /* On the phone */

    #scan { display: flex; flex-wrap: wrap; gap: 1rem; margin-top: 1rem; }
    #scan > div { flex: 1 1 14rem; min-width: 0; }
    figure { width: 168px; }
    figure img { display: block; border: 1px solid var(--line); border-radius: 6px; background: #fff; }
    figcaption { margin-top: 0.25rem; font: 0.75rem/1.4 var(--code); text-align: center; overflow-wrap: anywhere; }
    .links li { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; gap: 0 0.75rem; padding: 0.375rem 0; border-bottom: 1px solid var(--line); }
    #more-links summary { padding: 0.5rem 0; font-size: 0.875rem; cursor: pointer; }
    #entitlement { white-space: pre-line; }
    .links a { font: 0.875rem/1.4 var(--code); }
    .links .quiet { grid-row: 2; overflow-wrap: anywhere; font-size: 0.8125rem; }
    .links .quiet span { display: block; }
    .links button { grid-row: 1 / 3; grid-column: 2; }

    /* Trying, the list, the CDN */

    form label { display: block; margin-bottom: 0.25rem; font-size: 0.875rem; }
    #trial-problem, #trial-answer, #cdn-problem, #cdn-answer { margin-top: 0.75rem; }
    #cdn-answer > * + * { margin-top: 0.5rem; }
    #cases-problem { margin-bottom: 0.75rem; }
    #trial-host, #trial-platforms { margin-top: 0.5rem; }
    #trial-platforms tr > * { width: 50%; }
    #trial-keep { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; margin: 0.75rem 0; }
    #trial-keep label { margin: 0; }
    #trial-keep select { flex: 1 1 10rem; min-width: 0; max-width: 100%; font-size: 0.875rem; }
    .app th { padding-top: 0.625rem; background: var(--raised); font-weight: 600; }
    tr > :first-child:not([colspan]) { width: 3rem; font-variant-numeric: tabular-nums; }
    tr > :nth-child(3) { width: 6.75rem; overflow-wrap: normal; }
    tr[data-result="matches"] > :last-child { color: var(--good); font-weight: 650; }
    tr[data-result="excludes"] > :last-child { color: var(--bad); font-weight: 650; }
    tr[data-result="not reached"] > td { color: var(--quiet); }
    #cases-count[data-result="bad"] { color: var(--bad); font-weight: 600; }
    #cases-count[data-result="good"] { color: var(--good); }
    #cases-list li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 0.75rem; align-items: center; padding: 0.5rem 0 0.5rem 0.625rem; border-left: 4px solid var(--good); border-bottom: 1px solid var(--line); }
    #cases-list [data-result="bad"] { border-left-color: var(--bad); }
    #cases-list p { font-size: 0.875rem; overflow-wrap: anywhere; color: var(--good); }
    #cases-list [data-result="bad"] p { color: var(--bad); font-weight: 600; }
    #cases-list p span { display: block; font-weight: 400; }
    #cases-list .actions { display: flex; gap: 0.375rem; grid-row: 1 / 3; grid-column: 2; }
    #cases-path { margin-top: 0.5rem; overflow-wrap: anywhere; }
    @container (max-width: 24rem) {
      th, td { padding-inline: 0.25rem; }
      tr > :first-child:not([colspan]) { width: 2.75rem; }
      tr > :nth-child(3) { width: 4.75rem; }
      #cases-list li { grid-template-columns: minmax(0, 1fr); }
      #cases-list .actions { grid-row: auto; grid-column: 1; margin-top: 0.375rem; }
    }

    """#
}
