import { mailtoOf } from "#platform/pages/mailto.rules.ts";
import { type Markup, markup } from "#platform/pages/markup.ts";
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
    main: markup`<div class="wrap">${title}${clockForm(page.clock)}${search(page)}${content(page)}</div>`.html,
    footer: foot(page.settings).html,
  });

const title = markup`<div class="title"><h1>Outbox</h1><p>Every email and SMS of the demo, newest first.</p></div>`;

function search({ query }: MailboxPage) {
  const option = (value: string, label: string) =>
    markup`<option value="${value}"${value === query.channel ? " selected" : ""}>${label}</option>`;
  return markup`<form class="filt" role="search" action="/dev/outbox">
<label class="sr" for="q">Recipient or subject</label>
<input class="in" id="q" name="q" type="search" maxlength="200" value="${query.q}" placeholder="Search by recipient or subject">
<label class="sr" for="channel">Channel</label>
<select class="in" id="channel" name="channel">${option("", "Mail and SMS")}${option("email", "Mail")}${option("sms", "SMS")}</select>
<button class="btn line" type="submit">Search</button>
</form>`;
}

function content(page: MailboxPage) {
  if (page.query.id && !page.chosen) return empty("Message not found", "It may belong to another demo market.");
  if (page.messages.length === 0)
    return page.query.q || page.query.channel
      ? empty("No message matches", "Try another word, or show email and SMS together.")
      : empty("No messages yet", "Sign up or request a date. What we would send you appears here.");
  return markup`<div class="box">${list(page)}${page.chosen ? article(page, page.chosen) : null}</div>`;
}

const empty = (heading: string, message: string) => markup`<div class="none">
<h2>${heading}</h2>
<p>${message}</p>
<p><a href="/dev/outbox">All messages</a></p>
</div>`;

function address({ query }: MailboxPage, id: string, view?: View): string {
  const search = new URLSearchParams({
    ...(query.q ? { q: query.q } : {}),
    ...(query.channel ? { channel: query.channel } : {}),
    id,
  });
  if (view && view !== "email") search.set("view", view);
  return `/dev/outbox?${search}#message`;
}

const currentIf = (isCurrent: boolean): Markup | null => (isCurrent ? markup` aria-current="true"` : null);

function list(page: MailboxPage) {
  const entries = page.messages.map((message) => {
    const current = currentIf(message.id === page.chosen?.id);
    return markup`<li><a href="${address(page, message.id)}"${current}>
<span class="top"><span>${message.recipient}</span><span>${shortly(message.created_at, page)}</span></span>
<strong>${subjectOf(message)}</strong>
<span class="quiet">${page.titleOf(message.template)}</span>
</a></li>`;
  });
  return markup`<nav class="list" aria-label="Messages" tabindex="0"><ul>${entries}</ul></nav>`;
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

const line = (label: string, value: string | Markup) => markup`<div><dt>${label}</dt><dd>${value}</dd></div>`;

function article(page: MailboxPage, message: MailboxMessage) {
  const { settings, view } = page;
  const from = message.channel === "sms" ? "Stagedoor" : `Stagedoor <${settings.fromEmail}>`;
  const offered = message.html ? views : (["text"] as const);
  const names = { email: "Email", text: "Text", source: "Source" };
  const tabs = offered.map(
    (one) => markup`<a href="${address(page, message.id, one)}"${currentIf(one === view)}>${names[one]}</a>`,
  );
  return markup`<article id="message" aria-label="Message">
<div class="bar">
<dl class="head">
${line("To", message.recipient)}
${line("From", from)}
${line("Subject", subjectOf(message))}
${line("At", formatInstant(message.created_at, settings.timeZone))}
${attachment(page, message)}
</dl>
<nav class="seg" aria-label="View">${tabs}</nav>
</div>
${sheet(message, view)}
</article>`;
}

export const attachmentAddress = (id: string): string => `/dev/outbox/${id}/attachment`;

function attachment({ attached }: MailboxPage, { id, attachment_name: name }: MailboxMessage) {
  if (name === null) return null;
  const size = attached === null ? "" : ` (${Math.ceil(attached / 1_024)} kB)`;
  return line("Attached", markup`<a href="${attachmentAddress(id)}">${name}</a>${size}`);
}

function sheet(message: MailboxMessage, view: View) {
  if (view === "email" && message.html)
    return markup`<iframe class="email" title="Email" src="/dev/outbox/${message.id}/email" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`;
  const isSource = view === "source";
  const label = isSource ? "Source of the email" : "Text of the message";
  const shown = isSource && message.html ? message.html : message.text;
  return markup`<pre tabindex="0" role="region" aria-label="${label}">${shown}</pre>`;
}

const foot = (settings: PlatformSettings) => markup`<footer class="foot"><div class="wrap">
<span>${oneLine(settings.emailFooter, 200)}</span>
<a href="${mailtoOf(settings.supportEmail)}">${settings.supportEmail}</a>
</div></footer>`;
