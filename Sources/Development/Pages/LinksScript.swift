extension DevPages {
  /// The script for the inspector's list of links.
  static let linksScript =
    #"""
    // The view with the entitlement, the links and a QR code for the phone, and the state of
    // Apple's CDN.

    import { ask, byId, copyText, count, isWebAddress, make, onAndroid, show, span, visible } from "/page.js";

    /// The number of links to show. The list of all further links is folded at first.
    const SHOWN = 6;

    export class Links {
      #last = "";
      #scanned = null;

      constructor() {
        byId("copy").addEventListener("click", () => {
          copyText(byId("entitlement").textContent, byId("entitlement"), byId("copied"));
        });
        byId("cdn-ask").addEventListener("click", () => askCDN());
        byId("qr").addEventListener("error", () => {
          byId("qr").hidden = true;
          byId("qr-text").textContent = "No QR code of this link could be made.";
        });
      }

      show(state) {
        const now = JSON.stringify([state.public, state.entitlements, state.links]);
        if (now === this.#last) return;
        this.#last = now;
        const isPublic = state.entitlement !== null;
        byId("paste-content").hidden = !isPublic;
        show(byId("paste-none"), isPublic ? null : whyNot(state.public ?? {}));
        if (!isPublic) return;
        show(byId("entitlement"), state.entitlements.join("\n"));
        const links = state.links.filter((link) => isWebAddress(link.url));
        byId("links").replaceChildren(...links.slice(0, SHOWN).map((link) => this.#row(link)));
        const rest = links.slice(SHOWN);
        byId("more-links").hidden = rest.length === 0;
        byId("more-links-count").textContent = `${count(rest.length, "more link", "more links")}`;
        byId("more-links-list").replaceChildren(...rest.map((link) => this.#row(link)));
        const known = links.find((link) => link.url === this.#scanned) ?? links.find((link) => link.opens) ?? links[0];
        this.#scan(known?.url ?? state.public.origin);
      }

      #row(link) {
        return make(
          "li", {},
          make("a", { href: link.url, target: "_blank", rel: "noreferrer noopener" }, visible(shortened(link.url))),
          make("span", { class: "quiet" }, link.opens ? `opens ${visible(link.opens)}` : "no app", link.android ? make("span", {}, onAndroid(link.android)) : null),
          make(
            "button", { type: "button", "data-url": link.url, click: () => this.#scan(link.url) },
            "QR", make("span", { class: "unseen" }, ` code of ${visible(link.url)}`)));
      }

      #scan(url) {
        if (!url) return;
        this.#scanned = url;
        const image = byId("qr");
        image.hidden = false;
        image.alt = `QR code of ${visible(url)}`;
        const source = `/qr.svg?text=${encodeURIComponent(url)}`;
        if (image.getAttribute("src") !== source) image.src = source;
        show(byId("qr-text"), shortened(url));
        for (const button of byId("scan").querySelectorAll("button")) {
          button.setAttribute("aria-pressed", String(button.dataset.url === url));
        }
      }
    }

    /// Returns the URL without its origin, because all URLs in the list have the same origin.
    function shortened(url) {
      try {
        const parsed = new URL(url);
        return parsed.pathname + parsed.search + parsed.hash;
      } catch {
        return url;
      }
    }

    function whyNot(tunnel) {
      if (tunnel.message) return tunnel.message;
      if (tunnel.state === "starting") return `${tunnel.tunnel} is starting: the text to paste appears as soon as its host name is known.`;
      return "No public host, so no phone can fetch the file yet. You can still try URLs and check the file.";
    }

    // MARK: Apple's CDN

    async function askCDN() {
      const button = byId("cdn-ask");
      const answer = byId("cdn-answer");
      // Do not use `disabled`, because a disabled button loses the focus.
      if (button.getAttribute("aria-disabled") === "true") return;
      button.setAttribute("aria-disabled", "true");
      show(byId("cdn-problem"), null);
      answer.replaceChildren(make("p", { class: "quiet" }, "Querying Apple’s CDN, which may take 15 seconds…"));
      try {
        answer.replaceChildren(...describeCDN(await ask("/cdn")));
      } catch (error) {
        answer.replaceChildren();
        show(byId("cdn-problem"), error.message);
      }
      button.removeAttribute("aria-disabled");
    }

    const results = { same: "good", differs: "warn", older: "warn", absent: "warn", failed: "bad", offline: "bad" };

    function describeCDN(found) {
      const times = [];
      if (found.age !== null) times.push(`its copy is ${span(found.age)} old`);
      if (found.mayChangeIn !== null) times.push(`it may change in ${span(found.mayChangeIn)}`);
      return [
        make("p", { class: "verdict", "data-result": results[found.state] ?? "warn" }, visible(found.sentence)),
        times.length ? make("p", { class: "quiet" }, times.join(", ")) : null,
        found.details.length ? make("ul", { class: "lines" }, found.details.map((line) => make("li", {}, visible(line)))) : null,
      ].filter(Boolean);
    }

    """#
}
