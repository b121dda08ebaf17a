import { Menu } from "@mantine/core";
import { Copy } from "lucide-react";
import { hideFeedToken, isFeedTokenHidden } from "#calendar/feeds/rules.ts";
import {
  type CalendarFeed,
  readFeed,
  useCalendarFeeds,
  useRenewFeed,
  useTurnOffFeed,
} from "../../lib/api/calendar-feeds.ts";
import { attempt } from "../../lib/attempt.ts";
import { copyText } from "../../lib/browser/copy-text.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { openConfirmation } from "../dialogs/confirmation.tsx";
import { withReauthentication } from "../dialogs/reauthentication-dialog.tsx";
import { ActionsMenu, DestructiveItem } from "../lists/list-cells.tsx";
import { elapsed, FeedPanel } from "./feed-panel.tsx";
import styles from "./feeds.module.css";

const names = { private: "Private feed", public: "Public feed" } as const;
const shown = {
  private: "With names and requests. Keep this link to yourself.",
  public: "Busy times without names or locations. For your website or your band.",
} as const;

export function OwnFeeds({ things }: Readonly<{ things: string }>) {
  const query = useCalendarFeeds();
  return (
    <FeedPanel
      title={`Your ${things} in other calendars`}
      hint={`Add a link to Google, Apple or Outlook. It updates automatically. Google fetches a feed only every 8 to 24 hours, so new ${things} appear there late.`}
      query={query}
      what="Your feeds"
    >
      {(feed) => <OwnFeed key={feed.kind} feed={feed} refetch={query.refetch} />}
    </FeedPanel>
  );
}

function OwnFeed({ feed, refetch }: Readonly<{ feed: CalendarFeed; refetch(): Promise<unknown> }>) {
  const renew = useRenewFeed();
  const { kind, url } = feed;
  const name = names[kind];
  const turnOn = () =>
    attempt(() => withReauthentication(() => renew.mutateAsync({ kind })), undefined, "Not turned on");
  return (
    <li className={styles.item}>
      <div>
        <strong>{name}</strong>
        <span className={styles.hint}>{shown[kind]}</span>
        {url ? <span className={styles.address}>{withHiddenSecret(url)}</span> : null}
        <FetchState feed={feed} />
      </div>
      <span className={styles.actions}>
        {url ? (
          <Button
            tone="line"
            size="sm"
            onClick={() => void attempt(() => copy(feed, refetch), undefined, "Not copied")}
          >
            <Copy size={16} aria-hidden /> Copy link
          </Button>
        ) : (
          <Button tone="line" size="sm" busyLabel="Turning on…" onClick={turnOn}>
            Turn on
          </Button>
        )}
        {url ? <FeedMenu kind={kind} renew={renew} /> : null}
      </span>
    </li>
  );
}

function FetchState({ feed: { url, last_client, last_fetched_at } }: Readonly<{ feed: CalendarFeed }>) {
  if (!url) return <span className={styles.state}>Turned off</span>;
  if (!last_fetched_at) return <span className={styles.state}>Not fetched yet</span>;
  return (
    <span className={styles.state} data-is="ok">
      Last fetched by {last_client}, {elapsed(last_fetched_at)}
    </span>
  );
}

function FeedMenu({ kind, renew }: Readonly<{ kind: CalendarFeed["kind"]; renew: ReturnType<typeof useRenewFeed> }>) {
  const turnOff = useTurnOffFeed();
  const name = names[kind].toLowerCase();
  const shared = { cancel: "Keep link", danger: true, failed: "Not changed" };
  return (
    <ActionsMenu name={name}>
      <Menu.Item
        onClick={() =>
          openConfirmation({
            ...shared,
            title: `Renew the ${name}`,
            text: "The current link stops working immediately. Calendars that use it stop updating until you add the new link.",
            confirm: "Renew link",
            busy: "Renewing…",
            onConfirm: () =>
              withReauthentication(async () => {
                await renew.mutateAsync({ kind });
                toast({ title: "Link renewed" });
              }),
          })
        }
      >
        Renew link…
      </Menu.Item>
      <DestructiveItem
        label="Turn off"
        onClick={() =>
          openConfirmation({
            ...shared,
            title: `Turn off the ${name}`,
            text: "The link stops working immediately. You can turn the feed on again with a new link.",
            confirm: "Turn off feed",
            busy: "Turning off…",
            onConfirm: () => turnOff.mutateAsync({ kind }),
            done: { title: "Feed turned off" },
          })
        }
      />
    </ActionsMenu>
  );
}

const withHiddenSecret = (url: string): string =>
  url.replace(/^https?:\/\/[^/]+/, "").replace(/[\w-]{32}/, hideFeedToken);

/** Safari copies only within the press itself. After a request it does not, and the next press finds the whole link in the list. */
async function copy({ kind, url }: CalendarFeed, reload: () => Promise<unknown>): Promise<void> {
  if (!url) return;
  if (!isFeedTokenHidden(url)) return void (await copyLink(url));
  await withReauthentication(async () => {
    const feed = await readFeed(kind);
    await reload();
    if (feed.url) await copyLink(feed.url, "Press Copy link again.");
  });
}

const copyLink = (url: string, otherwise = `Your browser does not allow it. The link is ${url}`) =>
  copyText(url, { done: { title: "Copied", text: "The link is copied to the clipboard." }, otherwise });
