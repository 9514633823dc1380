extension PageStyle {
  /// The styles of the components that the inspector and the status page share.
  package static let components =
    #"""
    /* What the pages for people on this machine share: the inspector and the status page. One column from
       320 px on, two from 1000 px on. A color never says anything alone: there is always a word or a sign too. Generated signs
       are not read aloud; browsers without that syntax use the first of two declarations. */
    .unseen {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
      white-space: nowrap;
    }
    .quiet { color: var(--quiet); font-size: 0.875rem; }
    .skip {
      position: absolute;
      left: 0.5rem;
      top: -4rem;
      z-index: 3;
      padding: 0.5rem 1rem;
      background: var(--surface);
    }
    .skip:focus { top: 0.5rem; }

    /* Controls */

    button, input, select { font: inherit; color: inherit; }
    button, select, input[type="text"] {
      min-height: 2.25rem;
      padding: 0.25rem 0.75rem;
      border: 1px solid var(--edge);
      border-radius: 6px;
      background: var(--surface);
    }
    button { cursor: pointer; font-size: 0.875rem; }
    button:hover { background: var(--raised); }
    button[aria-disabled="true"] { cursor: progress; color: var(--quiet); }
    button[aria-pressed="true"] { border-color: var(--accent); color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
    button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
    input[type="text"] { width: 100%; font-family: var(--code); font-size: 0.9375rem; }
    input[aria-invalid="true"] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
    input[type="checkbox"] { width: 1.125rem; height: 1.125rem; accent-color: var(--accent); }
    .check { display: inline-flex; align-items: center; gap: 0.5rem; min-height: 2.25rem; font-size: 0.875rem; }

    /* Errors, where they happened */

    .problem {
      padding: 0.5rem 0.75rem;
      border-left: 4px solid var(--bad);
      background: var(--bad-tint);
      color: var(--bad);
      overflow-wrap: anywhere;
    }
    #offline {
      position: sticky;
      top: 0;
      z-index: 2;
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0.25rem 1rem;
      padding: 0.625rem clamp(1rem, 3vw, 2.5rem);
      background: var(--bad);
      color: var(--surface);
      font-weight: 600;
    }
    :root:has(#offline:not([hidden])) { scroll-padding-top: 7rem; }
    #offline #offline-countdown { font-weight: 400; }
    #offline button { margin-left: auto; border-color: currentColor; background: transparent; }
    #offline button:focus-visible { outline-color: currentColor; }

    /* The state */

    #band {
      padding: 0.75rem clamp(1rem, 3vw, 2.5rem) 1.25rem;
      border-bottom: 1px solid var(--line);
      background: var(--surface);
    }
    #band[data-state="current"] { background: var(--good-tint); --state: var(--good); }
    #band[data-state="broken"] { background: var(--bad-tint); --state: var(--bad); }
    #band[data-state="older"] { background: var(--warn-tint); --state: var(--warn); }
    .top { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; }
    .top h1 { font-size: 0.9375rem; font-weight: 650; }
    .top p { font: 0.875rem/1.7 var(--code); overflow-wrap: anywhere; }
    #state {
      display: flex;
      gap: 0.35em;
      margin: 0.15em 0 0.1em;
      color: var(--state, var(--ink));
      font-size: clamp(1.75rem, 1.1rem + 2.6vw, 3.25rem);
      font-weight: 700;
      line-height: 1.1;
      letter-spacing: -0.02em;
      font-variant-numeric: tabular-nums;
      overflow-wrap: anywhere;
      text-wrap: balance;
    }
    #state::before { content: "○"; content: "○" / ""; flex: none; font-weight: 400; }
    [data-state="current"] #state::before { content: "✓"; content: "✓" / ""; font-weight: 700; }
    [data-state="broken"] #state::before { content: "✗"; content: "✗" / ""; font-weight: 700; }
    [data-state="older"] #state::before { content: "!"; content: "!" / ""; font-weight: 700; }
    #state-more { overflow-wrap: anywhere; }

    /* The parts */

    main {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 1rem;
      padding: 1rem clamp(0.5rem, 3vw, 2.5rem) 3rem;
    }
    .column { display: flex; flex-direction: column; gap: 1rem; min-width: 0; container-type: inline-size; }
    @media (min-width: 62.5rem) {
      main:has(> .column + .column) { grid-template-columns: minmax(0, 7fr) minmax(0, 5fr); align-items: start; }
    }
    section {
      padding: 0.875rem 1rem 1rem;
      border: 1px solid var(--line);
      border-radius: 10px;
      background: var(--surface);
    }
    .head { display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.75rem; min-height: 2.25rem; margin-bottom: 0.5rem; }
    .head > p { flex: 1; min-width: 8rem; overflow-wrap: anywhere; }
    .head > button { flex: none; min-width: 0; margin-left: auto; }
    .empty { padding: 0.75rem; border: 1px dashed var(--edge); border-radius: 6px; color: var(--quiet); }
    .verdict { padding: 0.5rem 0.75rem; border-left: 4px solid var(--edge); background: var(--raised); font-weight: 600; overflow-wrap: anywhere; }
    .verdict[data-result="good"] { border-color: var(--good); background: var(--good-tint); color: var(--good); }
    .verdict[data-result="warn"] { border-color: var(--warn); background: var(--warn-tint); color: var(--warn); }
    .verdict[data-result="bad"] { border-color: var(--bad); background: var(--bad-tint); color: var(--bad); }
    .verdict[data-result="good"]::before { content: "✓ "; content: "✓ " / ""; }
    .verdict[data-result="bad"]::before { content: "✗ "; content: "✗ " / ""; }
    .verdict[data-result="warn"]::before { content: "! "; content: "! " / ""; }
    .copy { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
    .copy > :first-child { flex: 1 1 14rem; min-width: 0; }

    .steps { counter-reset: step; }
    .steps > li { position: relative; padding-left: 2rem; counter-increment: step; }
    .steps > li + li { margin-top: 0.75rem; }
    .steps > li::before { content: counter(step); position: absolute; left: 0; width: 1.375rem; height: 1.375rem; margin-top: 0.1rem; border: 1px solid var(--edge); border-radius: 50%; font-size: 0.8125rem; line-height: 1.3rem; text-align: center; }
    .steps .copy { margin-top: 0.375rem; }
    .lines li { padding-left: 1.25rem; text-indent: -1.25rem; font-size: 0.875rem; overflow-wrap: anywhere; }
    .lines li::before { content: "–"; content: "–" / ""; display: inline-block; width: 1.25rem; text-indent: 0; }

    .facts { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.125rem 1rem; font-size: 0.875rem; }
    .facts dt { color: var(--quiet); }
    .facts dd { overflow-wrap: anywhere; unicode-bidi: isolate; }

    .line { display: flex; scroll-margin: 4rem; border-left: 4px solid transparent; }
    .line .number {
      flex: none;
      width: 3.25rem;
      padding-right: 0.875rem;
      color: var(--quiet);
      font: 0.8125rem/1.4rem var(--code);
      text-align: right;
      user-select: none;
    }
    .line code { flex: 1; min-width: 0; padding-right: 0.75rem; font-size: 0.8125rem; line-height: 1.4rem; white-space: pre-wrap; unicode-bidi: isolate; tab-size: 2; }
    .line:target { background: var(--raised); }
    .line[data-severity="error"] { border-color: var(--bad); }
    .line[data-severity="warning"] { border-color: var(--warn); }
    .line[data-severity="note"] { border-color: var(--accent); }
    mark { color: inherit; background: none; border-radius: 2px; text-decoration: underline wavy 1.5px; text-underline-offset: 0.2em; text-decoration-skip-ink: none; }
    mark[data-severity="error"] { color: var(--bad); background: var(--bad-tint); box-shadow: 0 0 0 2px var(--bad-tint); }
    mark[data-severity="warning"] { color: var(--warn); background: var(--warn-tint); box-shadow: 0 0 0 2px var(--warn-tint); }
    mark[data-severity="note"] { color: var(--accent); }
    .message { margin: 0.25rem 0.75rem 0.5rem 3.5rem; padding: 0.375rem 0.75rem; border-radius: 6px; font-size: 0.875rem; overflow-wrap: anywhere; }
    .message[data-severity="error"] { background: var(--bad-tint); }
    .message[data-severity="warning"] { background: var(--warn-tint); }
    .message[data-severity="note"] { background: var(--raised); }
    .message[data-severity="error"] p:first-child b { color: var(--bad); }
    .message[data-severity="warning"] p:first-child b { color: var(--warn); }
    .gap { padding: 0.25rem 0.75rem 0.25rem 3.5rem; color: var(--quiet); font-size: 0.875rem; }
    .more { margin: 0.5rem 0.75rem 0.25rem 3.5rem; }
    @container (max-width: 30rem) {
      .line .number { width: 2.25rem; padding-right: 0.5rem; }
      .message, .gap { margin-left: 0.75rem; padding-left: 0.75rem; }
    }

    .copy code { padding: 0.4rem 0.625rem; border-radius: 6px; background: var(--raised); }

    /* Tables */

    table { width: 100%; border-collapse: collapse; font-size: 0.875rem; }
    th, td { padding: 0.375rem 0.5rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
    thead th { color: var(--quiet); font-weight: 500; }

    @media (prefers-reduced-motion: reduce) {
      *, *::before, *::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; }
    }

    """#
}
