// What a page gains with scripts: parts that stay current, times of the reader's clock, and keys. All works without it.
"use strict";
(() => {
  const DEBOUNCE_MS = 500, OLDEST_MS = 15000;
  const status = () => document.getElementById("live");
  let source = null, timer = 0, paused = false;

  // Parts are loaded again at "jotsam:change", at most twice a second, and not while the tab is hidden.
  const refresh = () => { timer = 0; if (!document.hidden && !paused) htmx.trigger(document.body, "jotsam:change"); };
  const changed = () => { if (!timer) timer = setTimeout(refresh, DEBOUNCE_MS); };
  const isLive = () => document.querySelector('[hx-trigger*="jotsam:change"]');
  const say = (text) => { if (status()) status().textContent = text; };

  function open() {
    if (source || document.hidden || paused || !isLive()) return;
    source = new EventSource("/ui/events");
    for (const kind of ["enrichment.start", "enrichment.complete", "enrichment.failed", "memory.store", "memory.update",
      "memory.forget", "memory.recall", "consolidation.run", "message", "gap", "dropped"]) {
      source.addEventListener(kind, changed);
    }
    source.onopen = () => say("live");
    source.onerror = () => say("connecting again");
  }
  function close() {
    if (source) source.close();
    source = null;
    clearTimeout(timer);
    timer = 0;
  }
  document.addEventListener("visibilitychange", () => { if (document.hidden) close(); else { open(); refresh(); } });
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  setInterval(() => { if (source) refresh(); }, OLDEST_MS);  // Ages grow without an event.

  // It is shown only where it works.
  const show = () => { for (const button of document.querySelectorAll("[data-pause]")) button.hidden = false; };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-pause]");
    if (!button) return;
    paused = !paused;
    button.setAttribute("aria-pressed", String(paused));
    button.textContent = paused ? "Resume updates" : "Pause updates";
    if (paused) { close(); say("paused"); } else { open(); refresh(); }
  });

  // A time is sent in UTC.
  const two = (number) => String(number).padStart(2, "0");
  function localise(root) {
    for (const time of root.querySelectorAll("time[data-local]")) {
      const at = new Date(time.dateTime);
      if (isNaN(at)) continue;
      time.title = time.dateTime;
      time.textContent = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
      time.removeAttribute("data-local");
    }
    const zone = document.getElementById("zone");
    if (zone) zone.textContent = `Times are ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;
  }

  // "/" goes to the search, "j" and "k" to the next and previous row.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
    if (event.key === "/") {
      const field = document.querySelector("main [data-search]") || document.querySelector("[data-search]");
      if (field) { event.preventDefault(); field.focus(); field.select(); }
    } else if (event.key === "j" || event.key === "k") {
      const rows = [...document.querySelectorAll("[data-row]")];
      if (!rows.length) return;
      const at = rows.findIndex((row) => row.contains(document.activeElement));
      const next = rows[Math.max(0, Math.min(rows.length - 1, at + (event.key === "j" ? 1 : -1)))];
      const link = next.querySelector("a") || next;  // Enter opens, and submits nothing.
      if (link === next) next.tabIndex = -1;
      event.preventDefault();
      link.focus();
      next.scrollIntoView({ block: "nearest" });
    }
  });

  // "a", "r" and "l" accept, reject and postpone the item that has the focus; "u" takes back what was done last.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
    const undo = event.key === "u" && document.querySelector("[data-undo]");
    if (undo) { event.preventDefault(); undo.click(); return; }
    const row = event.target.closest("[data-row]");
    const button = row && /^[arl]$/.test(event.key) && row.querySelector(`[data-key="${event.key}"]`);
    if (button) { event.preventDefault(); button.click(); }
  });

  // Ctrl-K: where to go, by a few letters. Arrows move, and Enter goes to the first or to the one that has the focus.
  const palette = document.getElementById("go"), words = document.getElementById("go-to");
  const destinations = () => [...palette.querySelectorAll("#go-found a")];
  let asked = 0, answered = null;
  function ask() { clearTimeout(asked); asked = setTimeout(() => htmx.trigger(words, "jotsam:go"), 120); }
  function showPalette() {
    if (!palette.open) palette.showModal();
    words.select();
    ask();
  }
  if (palette) {
    document.querySelector("[data-go-key]").hidden = false;
    words.addEventListener("input", ask);
    palette.addEventListener("htmx:beforeRequest", () => { answered = words.value; });
    palette.addEventListener("click", (event) => { if (event.target === palette) palette.close(); });
    document.addEventListener("click", (event) => {
      if (event.target.closest("[data-go]") && !event.ctrlKey && !event.metaKey) { event.preventDefault(); showPalette(); }
    });
    document.addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        if (palette.open) palette.close(); else showPalette();
      } else if (palette.open && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
        const links = destinations(), at = links.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
        event.preventDefault();
        (links[Math.min(at, links.length - 1)] || words).focus();
      }
    });
    words.form.addEventListener("submit", (event) => {
      const first = answered === words.value && destinations()[0];
      if (first) { event.preventDefault(); first.click(); }  // Else the page of the words opens.
    });
  }

  // A choice that is sent as soon as it is made; its button is for those without scripts.
  for (const button of document.querySelectorAll("[data-send-button]")) button.hidden = true;
  document.addEventListener("change", (event) => { if (event.target.matches("[data-send]")) event.target.form.requestSubmit(); });

  // A tick in the head of a table ticks all its rows.
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-tick-all]")) return;
    for (const box of event.target.closest("table").querySelectorAll("tbody input[type=checkbox]")) box.checked = event.target.checked;
  });

  // On a phone a row is a card: each cell has the head of its column before it.
  function label(root) {
    for (const table of root.querySelectorAll("table:has(> thead)")) {
      const heads = [...table.tHead.rows[0].cells].map((cell) => cell.querySelector("input") ? "" : cell.textContent.trim());
      for (const row of [...table.tBodies].flatMap((body) => [...body.rows])) {
        if (row.cells.length === heads.length) [...row.cells].forEach((cell, at) => { cell.dataset.label = heads[at]; });
      }
      table.classList.add("cards");
    }
  }

  document.addEventListener("htmx:afterSettle", (event) => {
    const root = event.detail.elt.parentNode || document;
    localise(root);
    label(root);
    show();
  });
  localise(document);
  label(document);
  show();
  open();
})();
