import { Modal } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { CornerDownRight, Search, UserRound, Zap } from "lucide-react";
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { Link } from "react-router";
import type { Role } from "#users/rules.ts";
import { useSearch } from "../../lib/api/search.ts";
import { phoneQuery, useMediaQuery } from "../../lib/browser/use-media-query.ts";
import { Button } from "../../ui/button.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { useBookingActions } from "./booking-actions.ts";
import { type Action, bestOf, groupsFor, isHit, markedParts, type PaletteItem, type Screen } from "./palette-items.ts";
import styles from "./palette.module.css";

const pauseMs = 150;

type Props = Readonly<{
  userRole: Role;
  screens: readonly Screen[];
  actions: readonly Action[];
  typed: string;
  onType(text: string): void;
  onClose(): void;
}>;

export default function Palette(props: Props) {
  const isPhone = useMediaQuery(phoneQuery);
  return (
    <Modal
      opened
      onClose={props.onClose}
      withCloseButton={false}
      fullScreen={isPhone}
      size="41rem"
      yOffset="4rem"
      padding={0}
      attributes={{ content: { "aria-label": "Search everything" } }}
      transitionProps={{ duration: 0 }}
    >
      <Body {...props} />
    </Modal>
  );
}

function Body({ userRole, screens, actions, typed, onType, onClose }: Props) {
  const text = typed.trim().replaceAll(/\s+/gu, " ");
  const [searched] = useDebouncedValue(text, pauseMs);
  const { data, error, isFetching, refetch } = useSearch(searched);
  const hits = text.length < 2 ? undefined : data;
  const here = useBookingActions(userRole);
  const groups = useDeferredValue(groupsFor({ text, role: userRole, screens, actions, here, hits }));
  const items = groups.flatMap((group) => group.items);
  const found = items.filter(isHit).length;
  // Also between two keys, when the request for the new text has not started.
  const isSearching = isFetching || (text.length > 1 && text !== searched);
  // The arrow keys' selection is valid until the text changes.
  const [moved, setMoved] = useState<string>();
  const chosen = items.some(({ id }) => id === moved) ? moved : bestOf(groups, text);
  const list = useId();
  const options = useRef(new Map<string, HTMLElement>());
  useEffect(() => {
    // Newer browsers return a promise, which an effect must not return.
    options.current.get(chosen ?? "")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);

  const move = (step: 1 | -1) => {
    const at = items.findIndex(({ id }) => id === chosen);
    setMoved(items[(at + step + items.length) % items.length]?.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") move(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Enter") choose(options.current.get(chosen ?? ""), event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.palette}>
      <div className={styles.search}>
        <Search size={18} strokeWidth={1.8} aria-hidden />
        <input
          type="text"
          role="combobox"
          aria-label="Search screens, bookings, artists, users and actions"
          aria-expanded={items.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={chosen === undefined ? undefined : `${list}-${chosen}`}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          placeholder="Search everything"
          data-autofocus
          value={typed}
          onChange={(event) => {
            onType(event.currentTarget.value);
            setMoved(undefined);
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" onClick={onClose}>
          <span className={styles.fine}>Esc</span>
          <span className={styles.coarse}>Close</span>
          <span className="sr">, close the search</span>
        </button>
      </div>
      {error && !isFetching ? (
        <div className={styles.failed} role="alert">
          <span>Bookings, artists and users could not be searched.</span>
          <Button tone="line" size="sm" onClick={() => void refetch()}>
            Retry
          </Button>
        </div>
      ) : null}
      <div className={styles.hits} role="listbox" id={list} aria-label="Results">
        {groups.map(({ title, items: inside }) => (
          <div role="group" aria-labelledby={`${list}-${title}`} key={title}>
            <div className={styles.title} id={`${list}-${title}`} role="presentation">
              {title}
            </div>
            {inside.map((item) => (
              <Option
                key={item.id}
                id={`${list}-${item.id}`}
                item={item}
                text={text}
                selected={item.id === chosen}
                optionRef={(element) => {
                  if (element) options.current.set(item.id, element);
                  else options.current.delete(item.id);
                }}
                onChosen={onClose}
              />
            ))}
          </div>
        ))}
      </div>
      <p className={found === 0 && !isSearching ? styles.none : "sr"} role="status">
        {isSearching && found === 0 ? "Searching" : describeCount(found, text)}
      </p>
      <footer className={styles.foot}>
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> move
        </span>
        <span>
          <kbd>Enter</kbd> open
        </span>
        <span>
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> new tab
        </span>
        <span>
          Tip: type a booking number, <b>7KQ4MN</b>
        </span>
      </footer>
    </div>
  );
}

function describeCount(count: number, text: string): string {
  if (count === 0) return `Nothing was found for “${text}”.`;
  return count === 1 ? "1 hit" : `${count} hits`;
}

/** Opens a link like a click, or in a new tab. Other items are only clicked. */
function choose(element: HTMLElement | undefined, newTab: boolean): void {
  if (newTab && element instanceof HTMLAnchorElement) window.open(element.href, "_blank", "noopener");
  else element?.click();
}

type OptionProps = Readonly<{
  id: string;
  item: PaletteItem;
  text: string;
  selected: boolean;
  optionRef(element: HTMLElement | null): void;
  onChosen(): void;
}>;

function Option({ id, item, text, selected, optionRef, onChosen }: OptionProps) {
  const [before, found, after] = markedParts(item.label, text);
  const inside = (
    <>
      {item.picture ? <img src={item.picture} width={200} height={200} alt="" /> : <Symbol item={item} />}
      <span>
        {before}
        {found ? <mark>{found}</mark> : null}
        {after}
        {item.detail ? <small>{item.detail}</small> : null}
      </span>
      {item.status ? <StatusBadge entity="booking" value={item.status} /> : <span />}
    </>
  );
  const shared = { id, role: "option", tabIndex: -1, "aria-selected": selected } as const;
  if ("to" in item)
    return (
      <Link {...shared} ref={optionRef} to={item.to} onClick={onChosen}>
        {inside}
      </Link>
    );
  const run = () => {
    onChosen();
    item.run();
  };
  return (
    <button {...shared} ref={optionRef} type="button" onClick={run}>
      {inside}
    </button>
  );
}

function Symbol({ item }: Readonly<{ item: PaletteItem }>) {
  const Icon = "run" in item ? Zap : item.id.startsWith("person-") ? UserRound : CornerDownRight;
  return <Icon size={18} strokeWidth={1.6} aria-hidden />;
}
