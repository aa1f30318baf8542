// The page: list, filters, the finding that is shown.

const data = JSON.parse(document.getElementById("data").textContent);
const frames = data.frames;
const STATES = { counts: "counts", known: "known from the baseline", suppressed: "suppressed" };
const PAGE_LENGTH = 500;

const byId = (id) => document.getElementById(id);
const entries = data.findings.map((finding) => ({ finding, package: packageOf(finding), text: searchText(finding, frames) }));
let shown = [];
let drawn = 0;
let current = null;

function filters() {
  const value = (id) => byId(id).value;
  return {
    kind: value("kind"), state: value("state"), package: value("package"), detector: value("detector"),
    words: value("search").toLowerCase().split(/\s+/).filter(Boolean),
  };
}

function options(id, any, values, label) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) || 0) + 1);
  const select = byId(id);
  select.append(element("option", { value: "" }, any));
  for (const [value, count] of [...counts].sort()) {
    select.append(element("option", { value }, `${label(value)} (${count})`));
  }
}

function row(entry) {
  const { finding } = entry;
  const places = finding.accesses.map(place).join(" · ");
  const button = element("button", { type: "button", "data-id": finding.fingerprint },
    badge(finding), finding.variable || finding.headline, element("small", {}, places));
  button.addEventListener("click", () => show(entry, true));
  entry.button = button;
  return element("li", {}, button);
}

function badge(finding) {
  const badges = [element("span", { class: "badge " + finding.kind }, data.kinds[finding.kind].name)];
  if (finding.state !== "counts") badges.push(element("span", { class: "badge " + finding.state }, finding.state));
  else if (data.baseline) badges.push(element("span", { class: "badge race" }, "new"));
  return badges;
}

function drawMore() {
  const next = shown.slice(drawn, drawn + PAGE_LENGTH);
  byId("list").append(...next.map(row));
  drawn += next.length;
  const left = shown.length - drawn;
  byId("more").hidden = left === 0;
  byId("more").textContent = `Show ${Math.min(left, PAGE_LENGTH)} more of ${left}`;
}

function refresh() {
  const wanted = filters();
  shown = entries.filter((entry) => matches(entry, wanted));
  byId("list").replaceChildren();
  drawn = 0;
  drawMore();
  byId("count").textContent = shown.length === entries.length
    ? `${entries.length} findings` : `${shown.length} of ${entries.length} findings`;
  if (!shown.includes(current)) show(shown[0] || null, false);
  else markCurrent();
}

function markCurrent() {
  for (const button of byId("list").querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
  if (current && current.button) current.button.setAttribute("aria-current", "true");
}

function show(entry, chosen) {
  current = entry;
  markCurrent();
  const main = byId("detail");
  if (!entry) {
    main.replaceChildren(element("p", { class: "empty" }, entries.length ? "Nothing matches the filters." : "No findings: nothing to do."));
    return;
  }
  main.replaceChildren(...detail(entry.finding));
  if (chosen) history.replaceState(null, "", "#" + encodeURIComponent(entry.finding.fingerprint));
}

function detail(finding) {
  const field = simpleName(finding.variable);
  const graph = lockGraph(finding);
  const parts = [
    element("div", {}, badge(finding)),
    element("h2", {}, finding.headline),
    finding.owner && element("p", { class: "meta" }, finding.owner),
    finding.message && element("p", {}, finding.message),
    finding.advice && element("p", { class: "advice" }, element("strong", {}, "To fix: "), finding.advice),
    finding.why && element("p", { class: "meta" }, finding.why),
    element("h3", {}, "What happened"),
    element("div", { class: "sides" }, finding.accesses.map((access) => side(access, field))),
    element("h3", {}, "Who did what when"),
    finding.missing && element("p", { class: "meta" }, finding.missing),
    element("div", { class: "picture", tabindex: 0, role: "group", "aria-label": "picture of the threads" }, swimLanes(finding, frames)),
  ];
  if (graph) parts.push(element("h3", {}, "Lock graph"), element("div", { class: "picture", tabindex: 0, role: "group", "aria-label": "lock graph" }, graph));
  if (finding.history.length) {
    parts.push(element("h3", {}, finding.history_title),
      element("ul", {}, finding.history.map((a) => element("li", {}, `${a.kind} at ${place(a)} in ${a.class}.${a.method} by ${threadName(a)}, holding ${a.locks.join(", ") || "no lock"}`))));
  }
  parts.push(element("h3", {}, "About this finding"),
    element("p", {}, data.kinds[finding.kind].explanation),
    element("dl", {}, fact("Detector", finding.detector), fact("Seen", finding.tier),
      finding.tests.length ? fact("Test", finding.tests.join(" or ")) : [], fact("Fingerprint", element("code", {}, finding.fingerprint))),
    element("details", {}, element("summary", {}, "Accept it: text for a suppressions file"),
      element("pre", { class: "snippet" }, `[[suppress]]\nfingerprint = "${finding.fingerprint}"\nreason = "…"\n`)));
  return parts.filter(Boolean);
}

function fact(name, value) {
  return [element("dt", {}, name), element("dd", {}, value)];
}

function side(access, field) {
  const source = access.source === null ? null : data.files[access.source];
  const stack = (list) => element("ol", { class: "stack mono" }, list.map((f) => element("li", {}, frames[f])));
  const repeated = access.repeated.length ? ["Repeated", `under the same locks on line ${access.repeated.join(", ")}`] : null;
  return element("section", { class: "card" },
    element("h4", {}, `${access.title} at ${place(access)}`),
    element("div", { class: "mono" }, `${access.class}.${access.method}`),
    source && sourceTable(source, access.line, field),
    element("dl", {},
      fact("Thread", threadName(access)),
      fact("Locks", access.locks.length ? access.locks.map((l) => element("div", { class: "mono" }, l)) : "none held"),
      access.taken ? fact("Takes", element("span", { class: "mono" }, access.taken)) : [],
      repeated ? fact(...repeated) : []),
    access.stack.length ? [element("strong", {}, "Stack"), stack(access.stack)] : null,
    access.seen && !access.complete && element("p", { class: "meta" }, "Only the place is known: the stack of this access was not captured."),
    access.holding && [element("strong", {}, access.holding[0] + " was taken"), stack(access.holding[1])],
    access.started.length ? [element("strong", {}, "Thread was started"), stack(access.started)] : null);
}

function step(by) {
  const index = shown.indexOf(current) + by;
  const entry = shown[Math.max(0, Math.min(shown.length - 1, index))];
  if (!entry) return;
  while (drawn <= shown.indexOf(entry)) drawMore();
  show(entry, true);
  entry.button.focus();
}

function theme() {
  const order = ["auto", "light", "dark"];
  let chosen = "auto";
  // Pages opened from a file may have no storage.
  try { chosen = localStorage.getItem("racewire-theme") || "auto"; } catch { /* stays automatic */ }
  const apply = () => {
    if (chosen === "auto") document.documentElement.removeAttribute("data-theme");
    else document.documentElement.setAttribute("data-theme", chosen);
    byId("theme").textContent = "Theme: " + chosen;
  };
  byId("theme").addEventListener("click", () => {
    chosen = order[(order.indexOf(chosen) + 1) % order.length];
    try { localStorage.setItem("racewire-theme", chosen); } catch { /* for this visit only */ }
    apply();
  });
  apply();
}

function start() {
  byId("summary").textContent = data.summary;
  byId("notes").append(...data.notes.map((note) => element("p", {}, note)));
  options("kind", "All kinds", data.findings.map((f) => f.kind), (kind) => data.kinds[kind].name);
  options("state", "All states", data.findings.map((f) => f.state), (state) => STATES[state]);
  options("package", "All packages", entries.map((e) => e.package), (name) => name);
  options("detector", "All detectors", data.findings.map((f) => f.detector), (name) => name);
  theme();
  byId("more").addEventListener("click", drawMore);
  byId("filters").addEventListener("input", refresh);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName || "");
    if (event.key === "Escape" && typing) event.target.blur();
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") { event.preventDefault(); byId("search").focus(); }
    if (event.key === "j") step(1);
    if (event.key === "k") step(-1);
  });
  const linked = decodeURIComponent(location.hash.slice(1));
  refresh();
  const entry = entries.find((e) => e.finding.fingerprint === linked);
  if (entry) show(entry, false);
}

start();
