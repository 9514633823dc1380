extension DevPages {
  /// The inspector's page as HTML.
  static let inspectorPage =
    #"""
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>aasa dev</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/common.css">
    <link rel="stylesheet" href="/inspector.css">
    <script type="module" src="/inspector.js"></script>
    </head>
    <body>
    <a class="skip" href="#requests-title">Skip to the requests</a>
    <div id="offline" hidden>
      <p role="alert" id="offline-text"></p>
      <p aria-hidden="true" id="offline-countdown"></p>
      <button type="button" id="offline-retry">Try now</button>
    </div>
    <noscript><p class="problem">This page needs JavaScript; the terminal shows the same in text.</p></noscript>

    <header id="band" data-state="starting">
      <div class="top">
        <h1>aasa dev</h1>
        <p id="public"></p>
      </div>
      <p id="state" role="status" aria-live="polite">connecting to aasa dev</p>
      <p id="state-more"></p>
      <p id="public-problem" class="problem" hidden></p>
    </header>

    <main>
      <div class="column">
        <section id="requests" aria-labelledby="requests-title">
          <div class="head">
            <h2 id="requests-title" tabindex="-1">Requests</h2>
            <p id="count" class="quiet">none yet</p>
            <label class="check"><input type="checkbox" id="only-association"> Association file only</label>
            <label class="check" for="filter">Filter <input type="text" id="filter" autocomplete="off" autocapitalize="off" spellcheck="false"></label>
            <button type="button" id="clear">Clear<span class="unseen"> the list</span></button>
            <a href="/requests.har" download>Export HAR</a>
          </div>
          <div id="scroller"><ol id="rows" aria-labelledby="requests-title"></ol></div>
          <p id="no-requests" class="empty">No requests yet. Run the app on the phone, or open a test link.</p>
          <div id="detail" role="region" aria-labelledby="detail-title" hidden>
            <div class="head">
              <h3 id="detail-title" tabindex="-1">Request</h3>
              <button type="button" id="detail-close">Close</button>
            </div>
            <div id="detail-body"></div>
          </div>
        </section>

        <section id="file" aria-labelledby="file-title">
          <div class="head">
            <h2 id="file-title">Association file</h2>
            <p id="file-path" class="quiet"></p>
          </div>
          <p id="file-state" class="verdict" hidden></p>
          <ul id="file-diagnostics"></ul>
          <div id="file-changes" hidden><h3>What the last change means</h3><ul class="lines"></ul></div>
          <div id="file-text" role="region" aria-label="The text of the file" tabindex="0"></div>
        </section>
      </div>

      <div class="column">
        <section id="paste" aria-labelledby="paste-title">
          <div class="head"><h2 id="paste-title">On the phone</h2></div>
          <p id="paste-none" class="empty" hidden></p>
          <div id="paste-content" hidden>
            <ol class="steps">
              <li>
                <p>In Xcode, under Signing &amp; Capabilities, add to Associated Domains:</p>
                <div class="copy">
                  <code id="entitlement"></code>
                  <button type="button" id="copy">Copy<span class="unseen"> the entitlement</span></button>
                </div>
                <p id="copied" class="quiet" role="status"></p>
              </li>
              <li><p>On the phone, switch on Settings › Developer › Universal Links › Associated Domains Development.</p></li>
              <li><p>Run the app from Xcode. Then scan a link with the camera, or tap it in Messages or Notes: a typed address stays in Safari.</p></li>
            </ol>
            <div id="scan">
              <figure><img id="qr" alt="" width="168" height="168"><figcaption id="qr-text"></figcaption></figure>
              <div><h3>Test links</h3><ul id="links" class="links"></ul>
                <details id="more-links" hidden><summary id="more-links-count"></summary><ul id="more-links-list" class="links"></ul></details></div>
            </div>
          </div>
        </section>

        <section id="trial" aria-labelledby="trial-title">
          <div class="head"><h2 id="trial-title">Try a URL</h2></div>
          <form id="trial-form" novalidate>
            <label for="trial-url">URL, or only its path</label>
            <div class="copy">
              <input id="trial-url" type="text" inputmode="url" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="4096">
              <button type="submit" class="primary">Try</button>
            </div>
          </form>
          <p id="trial-problem" class="problem" role="alert" hidden></p>
          <div id="trial-answer" hidden>
            <p id="trial-sentence" class="verdict" role="status"></p>
            <p id="trial-host" class="quiet" hidden></p>
            <div id="trial-platforms" hidden></div>
            <form id="trial-keep">
              <label for="trial-expects">It should</label>
              <select id="trial-expects"></select>
              <button type="submit">Add to the list</button>
            </form>
            <div id="trial-rules"></div>
          </div>
        </section>

        <section id="cases" aria-labelledby="cases-title">
          <div class="head"><h2 id="cases-title">Test URLs</h2><p id="cases-count" class="quiet"></p></div>
          <p id="cases-problem" class="problem" role="alert" hidden></p>
          <ul id="cases-list"></ul>
          <p id="cases-none" class="empty">None yet. Try a URL and add it: the list is kept, and checked each time the file is saved.</p>
          <p id="cases-path" class="quiet" hidden></p>
        </section>

        <section id="cdn" aria-labelledby="cdn-title">
          <div class="head"><h2 id="cdn-title">Apple’s CDN</h2><button type="button" id="cdn-ask">Ask Apple’s CDN</button></div>
          <p class="quiet">Apps from the App Store and TestFlight get the file from there, not from here. With <code>?mode=developer</code> the phone asks this server.</p>
          <p id="cdn-problem" class="problem" role="alert" hidden></p>
          <div id="cdn-answer" role="status"></div>
        </section>
      </div>
    </main>
    </body>
    </html>

    """#
}
