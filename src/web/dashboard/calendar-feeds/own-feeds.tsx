import { Menu } from "@mantine/core";
import { Copy } from "lucide-react";
import { type CalendarFeed, useCalendarFeeds, useRenewFeed, useTurnOffFeed } from "../../lib/api/calendar-feeds.ts";
import { errorToast } from "../../lib/attempt.ts";
import { copyText } from "../../lib/browser/copy-text.ts";
import { Button } from "../../ui/button.tsx";
import { openConfirmation } from "../dialogs/confirmation.tsx";
import { ActionsMenu, DestructiveItem } from "../lists/list-cells.tsx";
import { elapsed, FeedPanel } from "./feed-panel.tsx";
import styles from "./feeds.module.css";

const names = { private: "Private feed", public: "Public feed" } as const;
const shown = {
  private: "With names and requests. Keep this link to yourself.",
  public: "Busy times without names or locations. For your website or your band.",
} as const;

export function OwnFeeds({ things }: Readonly<{ things: string }>) {
  return (
    <FeedPanel
      title={`Your ${things} in other calendars`}
      hint={`Add a link to Google, Apple or Outlook. It updates automatically. Google fetches a feed only every 8 to 24 hours, so new ${things} appear there late.`}
      query={useCalendarFeeds()}
      what="Your feeds"
    >
      {(feed) => <OwnFeed key={feed.kind} feed={feed} />}
    </FeedPanel>
  );
}

function OwnFeed({ feed }: Readonly<{ feed: CalendarFeed }>) {
  const renew = useRenewFeed();
  const { kind, url } = feed;
  const name = names[kind];
  const turnOn = () => renew.mutateAsync({ kind }).catch(errorToast("Not turned on"));
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
          <Button tone="line" size="sm" onClick={() => void copy(url)}>
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
            onConfirm: () => renew.mutateAsync({ kind }),
            done: { title: "Link renewed" },
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
  url.replace(/^https?:\/\/[^/]+/, "").replace(/(\/[\w-]{4})[\w-]{16,}([\w-]{4}\.ics)$/, "$1…$2");

const copy = (url: string) =>
  copyText(url, {
    done: { title: "Copied", text: "The link is copied to the clipboard." },
    otherwise: `Your browser does not allow it. The link is ${url}`,
  });
