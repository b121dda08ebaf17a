/** Calls a CalDAV server (RFC 4791) with tsdav. Writes only to our own calendar. */

import { createAccount, createObject, deleteObject, makeCalendar, propfind, updateObject } from "tsdav";
import type { PublicRequest } from "#platform/security/public-request.ts";
import { ConnectionFailure } from "./failure.ts";
import { makePublicFetch } from "./public-fetch.ts";
import { calendarName } from "./rules.ts";

export type Credentials = Readonly<{ serverUrl: string; username: string; password: string }>;

/** The server rejects one entry. Others may still be written. */
export class EntryRefused extends Error {}

export type DavServer = ReturnType<typeof openDav>;

const wrongPassword = () =>
  new ConnectionFailure(
    "password",
    "The server does not accept the user name and password. Many providers need an app password, which you create in their account settings.",
  );

/** Opens a server. Every function throws ConnectionFailure with a message for the user. */
export function openDav(credentials: Credentials, options: Pick<PublicRequest, "allowHosts" | "resolve">) {
  const { serverUrl, username, password } = credentials;
  const caller = makePublicFetch(options);
  const headers = { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
  const common = { headers, fetch: caller.fetch };

  return {
    findCalendarUrl: async (connectionId: string): Promise<string> => {
      const account = await createAccount({ account: { accountType: "caldav", serverUrl }, ...common }).catch(
        (error: unknown) => {
          const serverError = caller.serverError();
          throw (
            caller.lastFailure() ??
            (caller.wasUnauthorized() ? wrongPassword() : undefined) ??
            (serverError === undefined ? undefined : failureOf(serverError, "look for your account")) ??
            new ConnectionFailure(
              "server_url",
              "There is no CalDAV server at this address. Your calendar's provider names the address for CalDAV.",
              { cause: error },
            )
          );
        },
      );
      const home = new URL(account.homeUrl ?? "");
      if (!home.pathname.endsWith("/")) home.pathname += "/";
      return new URL(`stagedoor-${connectionId}/`, home).href;
    },

    /** Returns the ETag of each entry by the entry's name, or undefined if the calendar does not exist. */
    listEntries: async (calendarUrl: string): Promise<Map<string, string | null> | undefined> => {
      const found = await propfind({ url: calendarUrl, props: { "d:getetag": {} }, depth: "1", ...common });
      const [first] = found;
      if (first && isGone(first.status) && found.length === 1) return undefined;
      if (!first?.ok) throw failureOf(first?.status ?? 0, "read our calendar");
      if (!first.props)
        throw new ConnectionFailure(
          "server_url",
          "The server does not answer with our calendar, but with something else, such as a page for signing in.",
        );
      const entries = found.flatMap(({ href, props }): [string, string | null][] => {
        const name = entryName(href);
        return name ? [[name, typeof props?.["getetag"] === "string" ? props["getetag"] : null]] : [];
      });
      return new Map(entries);
    },

    createCalendar: async (calendarUrl: string): Promise<void> => {
      const [made] = await makeCalendar({
        url: calendarUrl,
        props: {
          "d:displayname": calendarName,
          "c:supported-calendar-component-set": { "c:comp": { _attributes: { name: "VEVENT" } } },
        },
        ...common,
      });
      if (made?.ok) return;
      if (made && [403, 404, 405, 409, 501].includes(made.status))
        throw new ConnectionFailure("username", "This account may not create a calendar on the server.");
      throw failureOf(made?.status ?? 0, "create our calendar");
    },

    /** Writes an entry if its ETag still matches, or without an ETag, if it does not exist. Returns its new ETag, if the server sends it. */
    writeEntry: async (calendarUrl: string, entry: { name: string; text: string; etag: string | null | undefined }) => {
      const url = entryUrl(calendarUrl, entry.name);
      const type = { ...headers, "content-type": "text/calendar; charset=utf-8" };
      const response =
        entry.etag === undefined
          ? await createObject({ ...common, url, data: entry.text, headers: { ...type, "if-none-match": "*" } })
          : await updateObject({ ...common, url, data: entry.text, headers: type, ...matching(entry.etag) });
      if (!response.ok) throw entryError(response.status);
      return response.headers.get("etag");
    },

    removeEntry: async (calendarUrl: string, entry: { name: string; etag: string | null }): Promise<void> => {
      const response = await deleteObject({
        ...common,
        url: entryUrl(calendarUrl, entry.name),
        ...matching(entry.etag),
      });
      if (!response.ok && !isGone(response.status)) throw entryError(response.status);
    },

    removeCalendar: async (calendarUrl: string): Promise<void> => {
      const response = await deleteObject({ ...common, url: calendarUrl });
      if (!response.ok && !isGone(response.status)) throw failureOf(response.status, "delete our calendar");
    },
  };
}

const entryUrl = (calendarUrl: string, name: string) => new URL(`${name}.ics`, calendarUrl).href;
/** Returns the last part of an entry's address without `.ics`, because servers write the rest in more than one form. */
const entryName = (href: string | undefined) => /([^/]+)\.ics$/.exec(href ?? "")?.[1];
const isGone = (status: number) => status === 404 || status === 410;
/** A weak tag never matches (RFC 9110, 13.1.1). */
const matching = (etag: string | null) => (etag === null || etag.startsWith("W/") ? {} : { etag });

function failureOf(status: number, what: string): ConnectionFailure {
  if (status === 401) return wrongPassword();
  if (status === 403)
    return new ConnectionFailure("username", `The server does not allow this account to ${what} (403).`);
  return new ConnectionFailure("server_url", `The server answers with an error (${status}) when we ${what}.`);
}

const entryError = (status: number): Error =>
  status === 401 || status === 429 || status >= 500
    ? failureOf(status, "write a show")
    : new EntryRefused(`The server refuses a show (${status}).`);
