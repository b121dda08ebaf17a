import { createElement as h } from "react";
import { formatInstant } from "#platform/time/calendar.rules.ts";

export type ClockForm = Readonly<{ now: Date; timeZone: string; isMoving: boolean; problem: string | undefined }>;

const moves = [
  ["P1D", "1 day", 1],
  ["P1W", "1 week", 7],
  ["P4W", "4 weeks", 28],
] as const;

/** Renders the form of the demo clock (app/clock). Jobs that become due in the skipped time run before the response. */
export function clockForm({ now, timeZone, isMoving, problem }: ClockForm) {
  return h(
    "form",
    { className: "clock", method: "post", action: "/dev/clock", "data-now": now.toISOString() },
    // The focus makes a screen reader read it.
    problem ? h("p", { className: "note cherry", role: "alert", tabIndex: -1, autoFocus: true }, problem) : null,
    h("p", null, "It is ", h("strong", null, formatInstant(now, timeZone)), " in this demo."),
    h("span", { id: "ahead" }, "Move the clock ahead:"),
    h(
      "span",
      { className: "moves", role: "group", "aria-labelledby": "ahead" },
      moves.map(([value, label, days]) =>
        h(
          "button",
          { className: "btn line", type: "submit", name: "advance", value, "data-days": days, key: value },
          label,
        ),
      ),
    ),
    h(
      "div",
      { className: "moving" },
      h("p", { role: "status" }, isMoving ? "The clock is being moved. " : ""),
      isMoving ? h("a", { href: "/dev/outbox" }, "View the new time") : null,
      h("progress", { hidden: true, max: 1, value: 0, "aria-labelledby": "ahead" }),
    ),
  );
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
