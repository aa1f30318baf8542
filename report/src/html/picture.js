// Pictures of a finding: what each thread did, one lane each, with the order that is missing between them; and for
// deadlocks the locks with who waits for whom.

const LOCK_COLOURS = ["#3b82f6", "#10b981", "#d97706", "#a855f7", "#ec4899", "#0891b2"];
const LANE = 430;
const LANE_HEAD = 300;
const MOST_LANES = 6;
// About the width of one; text cannot be measured before it is shown.
const CHARACTER = 7.2;

function place(access) {
  if (access.file && access.line > 0) return access.file + ":" + access.line;
  return simpleName(access.class) + "." + access.method;
}

function threadName(access) {
  return access.thread || (access.seen ? "a thread without a name" : "any thread");
}

function bareLock(lock) {
  return lock.replace(/ \(read\)$/, "");
}

// `com.acme.Bank@77ab` as `Bank@77ab`.
function lockName(lock) {
  return simpleName(lock);
}

function lockColours(accesses) {
  const colours = new Map();
  for (const access of accesses) {
    for (const lock of access.locks.concat(access.taken ? [access.taken] : [])) {
      const name = bareLock(lock);
      if (!colours.has(name)) colours.set(name, LOCK_COLOURS[colours.size % LOCK_COLOURS.length]);
    }
  }
  return colours;
}

// Where things stand in one lane, from top to bottom. Lanes begin one step below each other: that is the order of this run.
function laneSteps(access, index, frames) {
  const steps = [];
  let y = 58;
  const start = access.started.length ? "started at " + framePlace(frames[access.started[0]]) : "start not seen";
  if (access.seen) steps.push({ kind: "start", y, text: start });
  y += 34 + index * 78;
  for (const lock of access.locks) {
    steps.push({ kind: "lock", y, lock });
    y += 28;
  }
  steps.push({ kind: "access", y: y + 6 });
  y += 52;
  for (const lock of [...access.locks].reverse()) {
    steps.push({ kind: "unlock", y, lock });
    y += 28;
  }
  return { steps, end: y };
}

function framePlace(frame) {
  const match = /\(([^()]*)\)$/.exec(frame || "");
  return match ? match[1] : frame || "an unknown place";
}

function swimLanes(finding, frames) {
  const accesses = finding.accesses.slice(0, MOST_LANES);
  const lanes = accesses.map((access, index) => laneSteps(access, index, frames));
  const colours = lockColours(accesses);
  const height = Math.max(...lanes.map((lane) => lane.end)) + 16;
  const width = Math.max(1, accesses.length) * LANE;
  const words = accesses.map((a) => `thread ${threadName(a)}: ${a.kind} at ${place(a)} holding ${a.locks.join(", ") || "no lock"}`);
  const root = svg("svg", { class: "lanes", width, height, viewBox: `0 0 ${width} ${height}`, role: "img" },
    svg("title", {}, "What the threads did"),
    svg("desc", {}, words.join("; ") + ". " + finding.missing),
    arrowHead());
  // The lines between the threads go under what each did.
  const between = svg("g", {});
  root.append(between);
  const points = accesses.map((access, index) => drawLane(root, access, index, lanes[index], colours));
  drawMissing(between, finding, points);
  return root;
}

function arrowHead() {
  return svg("defs", {}, svg("marker", { id: "head", viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" },
    svg("path", { d: "M0 0 L10 5 L0 10 z", fill: "context-stroke" })));
}

function drawLane(root, access, index, lane, colours) {
  const x = index * LANE + 34;
  const name = threadName(access);
  root.append(
    svg("rect", { class: "box", x: x - 20, y: 8, width: LANE_HEAD, height: 30, rx: 6 }),
    svg("text", { x: x - 8, y: 28, "font-weight": 600 }, shorten(name, 38), svg("title", {}, name)),
    svg("line", { class: "lane", x1: x, y1: 38, x2: x, y2: lane.end + 6 }));
  const point = { x, y: 0, locks: new Map() };
  const opened = [];
  for (const step of lane.steps) {
    if (step.kind === "start") {
      root.append(svg("circle", { class: "access", cx: x, cy: step.y, r: 5 }),
        svg("text", { class: "quiet", x: x + 16, y: step.y + 4 }, shorten(step.text, 40)));
    } else if (step.kind === "access") {
      point.y = step.y + 14;
      const what = access.taken ? "takes " + lockName(access.taken) : access.kind;
      const text = shorten(`${what} at ${place(access)}`, 38);
      point.right = x + 16 + text.length * CHARACTER + 16;
      root.append(svg("rect", { class: "access " + access.kind, x: x - 8, y: step.y, width: point.right - x + 8, height: 28, rx: 6 }),
        svg("text", { x: x + 6, y: step.y + 18, "font-weight": 600 }, text, svg("title", {}, `${access.class}.${access.method}`)));
    } else {
      const colour = colours.get(bareLock(step.lock));
      const text = `${step.kind} ${shorten(lockName(step.lock), 32)}`;
      if (step.kind === "lock") {
        opened.push(step);
        point.locks.set(bareLock(step.lock), { y: step.y, right: x + 22 + text.length * CHARACTER });
      } else {
        const begin = opened.pop();
        root.append(svg("rect", { x: x - 14 - opened.length * 6, y: begin.y, width: 4, height: step.y - begin.y, fill: colour, rx: 2 }));
      }
      root.append(svg("circle", { cx: x, cy: step.y, r: 4.5, fill: colour }),
        svg("text", { x: x + 16, y: step.y + 4 }, text, svg("title", {}, step.lock)));
    }
  }
  return point;
}

// Between neighbours: for races the order that nothing gives, for deadlocks who waits for whom.
function drawMissing(root, finding, points) {
  const chance = finding.kind === "potential-race" ? " chance" : "";
  const waits = isAboutLocks(finding);
  for (let i = 0; i < points.length; i++) {
    const from = points[i];
    const next = (i + 1) % points.length;
    const to = points[next];
    if (points.length < 2 || (next === 0 && !waits)) continue;
    const taken = waits ? finding.accesses[i].taken : null;
    const held = taken ? to.locks.get(bareLock(taken)) : undefined;
    const y = held ? held.y : to.y;
    const start = next > i ? from.right + 2 : from.x - 22;
    const end = next > i ? to.x - 22 : held ? held.right : to.right + 4;
    const middle = (start + end) / 2;
    const label = waits ? (next > i ? "waits" : "") : chance ? "ordered by chance" : ordered(finding) ? "" : "not ordered";
    const half = (label.length * CHARACTER) / 2 + 4;
    root.append(svg("path", {
      class: "missing" + chance, "marker-end": "url(#head)",
      d: `M${start} ${from.y} C${middle} ${from.y} ${middle} ${y} ${end} ${y}`,
    }));
    if (!label) continue;
    root.append(svg("rect", { class: "back", x: middle - half, y: (from.y + y) / 2 - 9, width: half * 2, height: 18, rx: 4 }),
      svg("text", { class: "why" + chance, x: middle, y: (from.y + y) / 2 + 4, "text-anchor": "middle" }, label));
  }
}

function isAboutLocks(finding) {
  return finding.kind === "lock-order" || finding.kind === "deadlock";
}

// In the other kinds the steps are those of one thread: they are in order, but others can come in between.
function ordered(finding) {
  return finding.kind !== "race" && finding.kind !== "potential-race";
}

// Locks on a circle, an arrow from the lock that a thread holds to the one it takes.
function lockGraph(finding) {
  const steps = finding.accesses.filter((a) => a.taken);
  if (!isAboutLocks(finding) || steps.length < 2) return null;
  const edges = finding.accesses.map((access, i, all) => {
    const before = all[(i + all.length - 1) % all.length];
    return { from: before.taken || access.locks[access.locks.length - 1], to: access.taken, access };
  }).filter((e) => e.from && e.to);
  const names = [...new Set(edges.flatMap((e) => [bareLock(e.from), bareLock(e.to)]))];
  const radius = Math.max(120, names.length * 42);
  const width = radius * 2 + 420;
  const flat = names.length === 2;
  const height = flat ? 240 : radius * 2 + 120;
  const centre = { x: width / 2, y: height / 2 };
  const at = new Map(names.map((name, i) => {
    const angle = Math.PI + (2 * Math.PI * i) / names.length;
    return [name, { x: centre.x + radius * 1.25 * Math.cos(angle), y: centre.y + radius * Math.sin(angle) * 0.9 }];
  }));
  const words = edges.map((e) => `${threadName(e.access)} holds ${e.from} and takes ${e.to}`);
  const root = svg("svg", { class: "graph", width, height, viewBox: `0 0 ${width} ${height}`, role: "img" },
    svg("title", {}, "The lock graph"), svg("desc", {}, words.join("; ")), arrowHead());
  for (const edge of edges) drawEdge(root, edge, at);
  for (const [name, point] of at) {
    const text = shorten(lockName(name), 26);
    const half = text.length * 3.9 + 14;
    root.append(svg("rect", { class: "access", x: point.x - half, y: point.y - 17, width: half * 2, height: 34, rx: 17 }),
      svg("text", { x: point.x, y: point.y + 5, "text-anchor": "middle", "font-weight": 600 }, text, svg("title", {}, name)));
  }
  return root;
}

function drawEdge(root, edge, at) {
  const from = at.get(bareLock(edge.from));
  const to = at.get(bareLock(edge.to));
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const bend = 70;
  const control = { x: (from.x + to.x) / 2 + (dy / length) * bend, y: (from.y + to.y) / 2 - (dx / length) * bend };
  // The arrow ends at the border of the node, not under it.
  const toward = Math.hypot(to.x - control.x, to.y - control.y) || 1;
  const end = { x: to.x - ((to.x - control.x) / toward) * 62, y: to.y - ((to.y - control.y) / toward) * 24 };
  // Beside the curve's middle, on the outer side.
  const outer = { x: (dy / length) * 24, y: -(dx / length) * 24 };
  const anchor = Math.abs(outer.x) < 8 ? "middle" : outer.x > 0 ? "start" : "end";
  const label = { x: (from.x + 2 * control.x + to.x) / 4 + outer.x, y: (from.y + 2 * control.y + to.y) / 4 + outer.y };
  root.append(svg("path", { class: "edge", "marker-end": "url(#head)", d: `M${from.x} ${from.y} Q${control.x} ${control.y} ${end.x} ${end.y}` }),
    svg("text", { x: label.x, y: label.y - 2, "text-anchor": anchor }, shorten(threadName(edge.access), 30)),
    svg("text", { x: label.x, y: label.y + 14, "text-anchor": anchor, class: "quiet" }, shorten(place(edge.access), 34)));
}
