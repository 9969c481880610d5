/**
 * The page a server shows until it has a fuller one: health, jobs by state and the latest jobs. Asks again every few
 * seconds while someone is looking, less often while the server does not answer.
 */
const refreshMs = 3_000;
const slowestMs = 30_000;

const states = ["pending", "running", "completed", "failed", "cancelled"];

let timer;
let asking = false;
let failures = 0;
let shownJobs = "";

document.addEventListener("visibilitychange", () => {
  clearTimeout(timer);
  if (!document.hidden) void refresh();
});
void refresh();

async function refresh() {
  if (asking) return;
  asking = true;
  try {
    const [health, stats, jobs] = await Promise.all([ask("/readyz"), ask("/api/stats"), ask("/api/jobs?limit=20")]);
    showHealth(health);
    if (stats.ok) showCounts(stats.body);
    if (jobs.ok) showJobs(jobs.body.items);
    showTrouble([stats, jobs].find((answer) => !answer.ok)?.message);
    failures = 0;
  } catch {
    failures++;
    setHealth("down", "The server does not answer");
    showTrouble("This page asks again by itself. If the server was stopped, start it with npm start.");
  } finally {
    asking = false;
  }
  if (!document.hidden) timer = setTimeout(refresh, Math.min(refreshMs * 2 ** failures, slowestMs));
}

/** Rejects when there is no server; an answer that is an error comes back as one. */
async function ask(path) {
  const response = await fetch(path, { headers: { accept: "application/json" }, cache: "no-store" });
  const body = await response.json().catch(() => undefined);
  const ok = response.ok && body !== undefined;
  return { ok, body, message: ok ? undefined : (body?.message ?? `${path} answered ${response.status}.`) };
}

function showHealth({ ok, body, message }) {
  if (ok) return setHealth("ready", "Ready");
  const failing = Object.entries(body?.checks ?? {}).filter(([, check]) => !check.ok);
  const reasons = failing.map(([name, check]) => check.message ?? name);
  setHealth("down", `Not ready: ${reasons.join("; ") || message}`);
}

function setHealth(state, text) {
  const health = document.getElementById("health");
  health.dataset.state = state;
  // A status region is read out on every change of its text: leave it alone when nothing changed.
  if (health.textContent !== text) health.textContent = text;
}

function showCounts(stats) {
  for (const state of states) {
    const cell = document.querySelector(`#counts [data-state="${state}"] dd`);
    cell.textContent = (stats.jobs[state] ?? 0).toLocaleString();
  }
}

function showJobs(jobs) {
  // New rows would take the focus from whoever is on a link: only when there is something new.
  const key = jobs.map(({ id, status }) => `${id} ${status}`).join();
  if (key === shownJobs && jobs.length > 0) return;
  shownJobs = key;
  document.getElementById("empty").hidden = jobs.length > 0;
  document.getElementById("latest").hidden = jobs.length === 0;
  document.querySelector("#latest tbody").replaceChildren(...jobs.map(toRow));
}

function toRow(job) {
  const row = document.createElement("tr");
  const link = document.createElement("a");
  link.href = `/api/jobs/${encodeURIComponent(job.id)}`;
  link.textContent = job.id;
  const badge = document.createElement("span");
  badge.className = "badge";
  badge.dataset.state = job.status;
  badge.textContent = job.status;
  const time = document.createElement("time");
  time.dateTime = job.createdAt;
  time.textContent = new Date(job.createdAt).toLocaleString();
  row.append(...[link, job.kind, badge, time].map(toCell));
  return row;
}

function toCell(content) {
  const cell = document.createElement("td");
  cell.append(content);
  return cell;
}

function showTrouble(message) {
  const trouble = document.getElementById("trouble");
  trouble.hidden = message === undefined;
  if (message !== undefined && trouble.textContent !== message) trouble.textContent = message;
}
