import { markup } from "#platform/pages/markup.ts";
import { formatInstant } from "#platform/time/calendar.rules.ts";

export type ClockForm = Readonly<{ now: Date; timeZone: string; isMoving: boolean; problem: string | undefined }>;

const moves = [
  ["P1D", "1 day", 1],
  ["P1W", "1 week", 7],
  ["P4W", "4 weeks", 28],
] as const;

/** Renders the form of the demo clock (app/clock). Jobs that become due in the skipped time run before the response. */
export function clockForm({ now, timeZone, isMoving, problem }: ClockForm) {
  const buttons = moves.map(
    ([value, label, days]) =>
      markup`<button class="btn line" type="submit" name="advance" value="${value}" data-days="${days}">${label}</button>`,
  );
  // The focus makes a screen reader read it.
  const note = problem ? markup`<p class="note cherry" role="alert" tabindex="-1" autofocus>${problem}</p>` : null;
  return markup`<form class="clock" method="post" action="/dev/clock" data-now="${now.toISOString()}">
${note}
<p>It is <strong>${formatInstant(now, timeZone)}</strong> in this demo.</p>
<span id="ahead">Move the clock ahead:</span>
<span class="moves" role="group" aria-labelledby="ahead">${buttons}</span>
<div class="moving">
<p role="status">${isMoving ? "The clock is being moved. " : ""}</p>
${isMoving ? markup`<a href="/dev/outbox">View the new time</a>` : null}
<progress hidden max="1" value="0" aria-labelledby="ahead"></progress>
</div>
</form>`;
}

/** Shows the progress and the failure of a move, refuses a second one, and returns the focus to the button after the move. */
export const clockScript = `
const form = document.querySelector(".clock");
const status = form.querySelector("[role=status]");
const progress = form.querySelector("progress");
const stored = "demo-clock-move";
const from = Date.parse(form.dataset.now);

const last = JSON.parse(sessionStorage.getItem(stored) ?? "null");
sessionStorage.removeItem(stored);
if (last && from >= last.to && !form.querySelector("[role=alert]")) {
  const button = form.querySelector(\`[value="\${last.value}"]\`);
  status.textContent = \`The clock was moved ahead by \${button.textContent}.\`;
  button.focus();
}

const setBusy = (isBusy) => {
  form.ariaBusy = String(isBusy);
  for (const one of form.querySelectorAll("button")) one.ariaDisabled = String(isBusy);
  progress.hidden = !isBusy;
};

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = event.submitter;
  if (form.ariaBusy === "true") {
    status.textContent = "The clock is already being moved. Wait until it has finished.";
    return;
  }
  const to = from + button.dataset.days * 86400000;
  setBusy(true);
  status.textContent = \`Moving the clock ahead by \${button.textContent}. Everything that becomes due runs first, which can take a minute.\`;
  const timer = setInterval(async () => {
    const response = await fetch("/api/dev/clock").catch(() => undefined);
    if (response?.ok) progress.value = (Date.parse((await response.json()).now) - from) / (to - from);
  }, 1000);
  const body = new URLSearchParams({ advance: button.value });
  const moved = await fetch(form.action, { method: "POST", body }).catch(() => undefined);
  clearInterval(timer);
  if (moved?.ok) {
    sessionStorage.setItem(stored, JSON.stringify({ to, value: button.value }));
    location.assign(moved.url);
    return;
  }
  setBusy(false);
  const problem = await moved?.json().catch(() => undefined);
  status.textContent = problem?.message ?? "The clock may not have moved. Reload the page, then try again.";
});
`;
