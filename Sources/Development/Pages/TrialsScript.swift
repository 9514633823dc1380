extension DevPages {
  /// The script for the inspector's form that tries a URL.
  static let trialsScript =
    #"""
    // The form that tries a URL against the rules, and the list of URLs whose effect must not
    // change.

    import { ask, byId, count, make, onAndroid, show, visible } from "/page.js";

    const signs = { "matches": "✓ matches", "excludes": "✗ excludes", "no match": "– no match", "not reached": "not reached" };

    export class Trials {
      #state = null;
      #tried = null;  // the URL of the answer that is shown
      #turn = 0;
      #casesWanted = true;

      constructor() {
        byId("trial-form").addEventListener("submit", (event) => {
          event.preventDefault();
          this.try(byId("trial-url").value);
        });
        byId("trial-keep").addEventListener("submit", (event) => {
          event.preventDefault();
          const opens = byId("trial-expects").value || null;
          this.#change("POST", "/cases", { url: this.#shortened(this.#tried), opens });
        });
      }

      /// - isOther: Whether the rules have changed. If so, gets all results again.
      show(state, isOther) {
        this.#state = state;
        if (!isOther) return;
        this.#load();
        if (this.#tried !== null) this.#fetch(this.#tried, true);
      }

      /// Called when the connection to the server is open again after it was lost.
      retry() {
        if (this.#casesWanted) this.#load();
      }

      // MARK: Trying one URL

      /// Tries a URL, or a path on the public host.
      try(text) {
        const written = text.trim();
        const origin = this.#origin();
        this.#fetch(written.startsWith("/") ? origin + written : written, false);
      }

      async #fetch(url, isAgain) {
        this.#turn += 1;
        const turn = this.#turn;
        let trial;
        let problem = null;
        try {
          if (url === "") throw new Error("write a URL, such as /buy/1");
          trial = await ask(`/try?url=${encodeURIComponent(url)}`);
          problem = trial.error;
        } catch (error) {
          problem = error.message;
        }
        if (turn !== this.#turn) return;
        // If an automatic retry fails, keep the earlier result.
        if (problem && isAgain) return;
        show(byId("trial-problem"), problem);
        byId("trial-url").setAttribute("aria-invalid", String(problem !== null));
        byId("trial-answer").hidden = problem !== null;
        this.#tried = problem ? null : trial.url;
        if (!problem) this.#showAnswer(trial, isAgain);
      }

      #showAnswer(trial, isAgain) {
        const sentence = byId("trial-sentence");
        sentence.dataset.result = trial.opens.length > 0 ? "good" : "none";
        show(sentence, trial.sentence);
        show(byId("trial-host"), trial.hostMatches ? null
          : `Phones ask ${trial.host} for the rules of this URL, not this server: the rules here were tried all the same.`);
        byId("trial-platforms").hidden = trial.android === null;
        byId("trial-platforms").replaceChildren(...(trial.android ? [platforms(trial)] : []));
        if (!isAgain) this.#offerExpectations(trial);
        const rules = trial.rules.length > 0 ? [table(trial.rules)] : [make("p", { class: "empty" }, "There is no rule to try.")];
        if (trial.truncated) rules.push(make("p", { class: "quiet" }, "There are more rules than are listed here."));
        byId("trial-rules").replaceChildren(...rules);
      }

      /// Offers expectations to choose from: the URL's current effect first, and then opening each
      /// other app.
      #offerExpectations(trial) {
        const now = trial.opens.map((one) => one.app);
        const others = (this.#state?.apps ?? []).filter((app) => !now.includes(app));
        const option = (app) => make("option", { value: app }, `open ${visible(app)}`);
        const none = make("option", { value: "" }, "open no app");
        const options = now.length > 0
          ? [...now.map(option), none, ...others.map(option)] : [none, ...others.map(option)];
        byId("trial-expects").replaceChildren(...options);
      }

      // MARK: The list of expectations

      async #load() {
        this.#casesWanted = true;
        try {
          this.#showCases(await ask("/cases"));
          this.#casesWanted = false;
          show(byId("cases-problem"), null);
        } catch (error) {
          show(byId("cases-problem"), error.message);
        }
      }

      async #change(method, path, body) {
        try {
          const options = body ? { method, body: JSON.stringify(body), headers: { "Content-Type": "application/json" } } : { method };
          this.#showCases(await ask(path, options));
          show(byId("cases-problem"), null);
        } catch (error) {
          show(byId("cases-problem"), error.message);
          byId("cases-problem").scrollIntoView({ block: "nearest" });
        }
      }

      #showCases(list) {
        const all = list.cases;
        const failing = all.filter((one) => !one.passes).length;
        const summary = failing > 0
          ? `✗ ${failing} of ${count(all.length, "URL", "URLs")} ${failing === 1 ? "fails" : "fail"}`
          : `✓ ${count(all.length, "URL passes", "URLs pass")}`;
        byId("cases-count").textContent = all.length === 0 ? "" : summary;
        byId("cases-count").dataset.result = failing > 0 ? "bad" : "good";
        byId("cases-none").hidden = all.length > 0;
        show(byId("cases-path"), list.path ? `kept in ${list.path}` : null);
        // Replacing the rows loses the focus, so set the focus again.
        const hadFocus = byId("cases-list").contains(document.activeElement);
        byId("cases-list").replaceChildren(...all.map((one) => this.#case(one)));
        if (hadFocus) (byId("cases-list").querySelector("button") ?? byId("trial-url")).focus();
      }

      #origin() {
        return this.#state?.public?.origin ?? "https://example.com";
      }

      /// Returns a link's URL without its origin if this is the common origin of all links.
      #shortened(url) {
        const origin = this.#origin();
        return url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
      }

      #case(one) {
        const app = (name) => (name === null ? "no app" : visible(name));
        const text = one.passes
          ? `✓ opens ${app(one.opens)}` : `✗ should open ${app(one.opens)}, opens ${app(one.now)}`;
        const again = () => {
          byId("trial-url").value = one.url;
          this.try(one.url);
          byId("trial-title").scrollIntoView({ block: "nearest" });
        };
        const remove = () => this.#change("DELETE", `/cases?url=${encodeURIComponent(one.url)}`);
        const name = make("span", { class: "unseen" }, ` ${visible(one.url)}`);
        return make(
          "li", { "data-result": one.passes ? "good" : "bad" },
          make("code", { title: visible(one.url) }, visible(this.#shortened(one.url))),
          make("p", {}, text, one.android ? make("span", { class: "quiet" }, onAndroid(one.android)) : null),
          make("div", { class: "actions" },
            make("button", { type: "button", click: again }, "Try", name),
            make("button", { type: "button", click: remove }, "Remove", name.cloneNode(true))));
      }
    }

    /// Shows what the URL does on both platforms, side by side. On Android, the app's manifest also
    /// affects the result.
    function platforms(trial) {
      const cell = (lines) => make("td", {}, lines.map((line) => make("p", {}, line)));
      const apple = trial.opens.map((one) => `opens ${visible(one.app)}`);
      const android = trial.android.apps.flatMap((one) => [
        `${{ opens: "opens", blocked: "is blocked for", browser: "stays in the browser for" }[one.result] ?? visible(one.result)} ${visible(one.app)}`,
        make("span", { class: "quiet" }, visible(one.reason)),
      ]);
      const none = trial.android.isReadable ? "stays in the browser: no app is listed for links" : "assetlinks.json is not a list that Android can read";
      return make(
        "table", {},
        make("caption", { class: "unseen" }, "The same URL on iOS and on Android"),
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "iOS"), make("th", { scope: "col" }, "Android 15 and later"))),
        make("tbody", {}, make("tr", {}, cell(apple.length > 0 ? apple : ["stays in the browser"]), cell(android.length > 0 ? android : [none]))));
    }

    /// Makes a table of all rules, grouped by app. In each group, the deciding rule comes first.
    function table(rules) {
      const head = make("tr", {}, ["Line", "Rule", "Result"].map((name) => make("th", { scope: "col" }, name)));
      const groups = [];
      for (const rule of rules) {
        if (groups.at(-1)?.app !== rule.app) groups.push({ app: rule.app, rows: [] });
        groups.at(-1).rows.push(make(
          "tr", { "data-result": rule.result },
          make("td", {}, rule.line ? make("a", { href: `#line-${rule.line}` }, make("span", { class: "unseen" }, "line "), String(rule.line)) : "–"),
          make("td", {}, make("code", {}, visible(rule.rule)), rule.reason ? make("p", { class: "quiet" }, visible(rule.reason)) : null),
          make("td", {}, signs[rule.result] ?? visible(rule.result))));
      }
      const bodies = groups.map((group) => make(
        "tbody", {},
        make("tr", { class: "app" }, make("th", { colspan: "3", scope: "rowgroup" }, make("code", {}, visible(group.app)))),
        group.rows));
      return make("table", {}, make("caption", { class: "unseen" }, "All rules: first the rule that decides, then the others in the order in which they are tried"), make("thead", {}, head), bodies);
    }

    """#
}
