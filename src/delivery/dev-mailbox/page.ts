import { createElement as h, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { mailtoOf } from "#platform/pages/mailto.rules.ts";
import { staticPage } from "#platform/pages/static-page.ts";
import { dayIn, formatDayAndMonth, formatInstant, timeIn } from "#platform/time/calendar.rules.ts";
import type { PlatformSettings } from "#settings/rules.ts";
import { oneLine } from "../rules.ts";
import { type ClockForm, clockForm } from "./clock-form.ts";
import type { MailboxMessage } from "./views.ts";

export const views = ["email", "text", "source"] as const;
export type View = (typeof views)[number];

export type MailboxPage = {
  messages: readonly MailboxMessage[];
  chosen: MailboxMessage | undefined;
  attached: number | null;
  view: View;
  query: { q: string; channel: "" | "email" | "sms"; id: string };
  settings: PlatformSettings;
  titleOf: (template: string) => string;
  clock: ClockForm;
  badge: string;
};

export const mailboxPage = (page: MailboxPage): string =>
  staticPage({
    title: "Outbox of the demo | Stagedoor",
    badge: page.badge,
    styles: ["/dev/outbox/styles.css", `/dev/outbox/brand.css?${page.settings.primaryColor.slice(1)}`],
    scripts: ["/dev/outbox/clock.js"],
    main: renderToStaticMarkup(
      h("div", { className: "wrap" }, title, clockForm(page.clock), search(page), content(page)),
    ),
    footer: renderToStaticMarkup(foot(page.settings)),
  });

const title = h(
  "div",
  { className: "title" },
  h("h1", null, "Outbox"),
  h("p", null, "Every email and SMS of the demo, newest first."),
);

function search({ query }: MailboxPage) {
  const option = (value: string, label: string) => h("option", { value, key: value }, label);
  return h(
    "form",
    { className: "filt", role: "search", action: "/dev/outbox" },
    h("label", { className: "sr", htmlFor: "q" }, "Recipient or subject"),
    h("input", {
      className: "in",
      id: "q",
      name: "q",
      type: "search",
      maxLength: 200,
      defaultValue: query.q,
      placeholder: "Search by recipient or subject",
    }),
    h("label", { className: "sr", htmlFor: "channel" }, "Channel"),
    h(
      "select",
      { className: "in", id: "channel", name: "channel", defaultValue: query.channel },
      option("", "Mail and SMS"),
      option("email", "Mail"),
      option("sms", "SMS"),
    ),
    h("button", { className: "btn line", type: "submit" }, "Search"),
  );
}

function content(page: MailboxPage): ReactNode {
  if (page.query.id && !page.chosen) return empty("Message not found", "It may belong to another demo market.");
  if (page.messages.length === 0)
    return page.query.q || page.query.channel
      ? empty("No message matches", "Try another word, or show email and SMS together.")
      : empty("No messages yet", "Sign up or request a date. What we would send you appears here.");
  return h("div", { className: "box" }, list(page), page.chosen ? article(page, page.chosen) : null);
}

const empty = (heading: string, message: string) =>
  h(
    "div",
    { className: "none" },
    h("h2", null, heading),
    h("p", null, message),
    h("p", null, h("a", { href: "/dev/outbox" }, "All messages")),
  );

function address({ query }: MailboxPage, id: string, view?: View): string {
  const search = new URLSearchParams({
    ...(query.q ? { q: query.q } : {}),
    ...(query.channel ? { channel: query.channel } : {}),
    id,
  });
  if (view && view !== "email") search.set("view", view);
  return `/dev/outbox?${search}#message`;
}

function list(page: MailboxPage) {
  const entry = (message: MailboxMessage) =>
    h(
      "li",
      { key: message.id },
      h(
        "a",
        { href: address(page, message.id), ...(message.id === page.chosen?.id ? { "aria-current": "true" } : {}) },
        h(
          "span",
          { className: "top" },
          h("span", null, message.recipient),
          h("span", null, shortly(message.created_at, page)),
        ),
        h("strong", null, subjectOf(message)),
        h("span", { className: "quiet" }, page.titleOf(message.template)),
      ),
    );
  return h(
    "nav",
    { className: "list", "aria-label": "Messages", tabIndex: 0 },
    h("ul", null, page.messages.map(entry)),
  );
}

const subjectOf = (message: MailboxMessage) =>
  message.channel === "sms" ? `SMS: ${oneLine(message.text, 80)}` : message.subject;

/** Returns "14:03 EST", or "21 Nov, 14:03 EST" on another day, in the platform's time zone. */
function shortly(at: Date, { settings, clock }: MailboxPage): string {
  const zone = settings.timeZone;
  const time = `${timeIn(zone, at)} ${zoneName(zone, at)}`;
  const on = dayIn(zone, at);
  return on === dayIn(zone, clock.now) ? time : `${formatDayAndMonth(on, { short: true })}, ${time}`;
}

const zoneName = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "short" })
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value ?? timeZone;

function article(page: MailboxPage, message: MailboxMessage) {
  const { settings, view } = page;
  const at = formatInstant(message.created_at, settings.timeZone);
  const from = message.channel === "sms" ? "Stagedoor" : `Stagedoor <${settings.fromEmail}>`;
  const line = (label: string, value: string) => h("div", { key: label }, h("dt", null, label), h("dd", null, value));
  const offered = message.html ? views : (["text"] as const);
  const names = { email: "Email", text: "Text", source: "Source" };
  const tab = (one: View) =>
    h(
      "a",
      { key: one, href: address(page, message.id, one), ...(one === view ? { "aria-current": "true" } : {}) },
      names[one],
    );
  return h(
    "article",
    { id: "message", "aria-label": "Message" },
    h(
      "div",
      { className: "bar" },
      h(
        "dl",
        { className: "head" },
        line("To", message.recipient),
        line("From", from),
        line("Subject", subjectOf(message)),
        line("At", at),
        attachment(page, message),
      ),
      h("nav", { className: "seg", "aria-label": "View" }, offered.map(tab)),
    ),
    sheet(message, view),
  );
}

export const attachmentAddress = (id: string): string => `/dev/outbox/${id}/attachment`;

function attachment({ attached }: MailboxPage, { id, attachment_name: name }: MailboxMessage) {
  if (name === null) return null;
  const size = attached === null ? "" : ` (${Math.ceil(attached / 1_024)} kB)`;
  const link = h("a", { href: attachmentAddress(id) }, name);
  return h("div", { key: "attachment" }, h("dt", null, "Attached"), h("dd", null, link, size));
}

function sheet(message: MailboxMessage, view: View) {
  if (view === "email" && message.html) {
    const sandbox = "allow-popups allow-popups-to-escape-sandbox";
    return h("iframe", { className: "email", title: "Email", src: `/dev/outbox/${message.id}/email`, sandbox });
  }
  const content = view === "source" && message.html ? message.html : message.text;
  return h(
    "pre",
    { tabIndex: 0, role: "region", "aria-label": view === "source" ? "Source of the email" : "Text of the message" },
    content,
  );
}

const foot = (settings: PlatformSettings) =>
  h(
    "footer",
    { className: "foot" },
    h(
      "div",
      { className: "wrap" },
      h("span", null, oneLine(settings.emailFooter, 200)),
      h("a", { href: mailtoOf(settings.supportEmail) }, settings.supportEmail),
    ),
  );
