import { NativeSelect, TextInput } from "@mantine/core";
import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { capitalized } from "#platform/text.rules.ts";
import { downloadCsv, type ExportedList } from "../../lib/api/csv-export.ts";
import { attempt } from "../../lib/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { DateField } from "../../ui/date-field/date-field.tsx";
import { daysBetween } from "../../ui/date-field/day-limits.ts";
import { PanelMonths } from "../../ui/date-field/panel-months.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { PageTabs } from "../page-tabs.tsx";
import { useSetFilter, useListAddress } from "./address.ts";
import styles from "./list.module.css";

const pauseMs = 250;

type Choice = Readonly<{ value: string; label: string }>;
type Filter = Readonly<{ name: string; label: string; all: string; choices: readonly Choice[] }>;

export function useListFilters(filter?: Filter): { search: string; chosen: string } {
  const [query] = useSearchParams();
  const value = filter ? (query.get(filter.name) ?? "") : "";
  const known = filter?.choices.some((one) => one.value === value) ?? false;
  return { search: query.get("search") ?? "", chosen: known ? value : "" };
}

/** `days` with a word: what happened on them, such as "Requested". */
type Props = Readonly<{ placeholder: string; filter?: Filter; days?: boolean | string; children?: ReactNode }>;

const isDay = (value: string): boolean => /^[1-9]\d{3}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));

export function useListDays(): { from: string; to: string } {
  const [query] = useSearchParams();
  const day = (name: string) => {
    const value = query.get(name) ?? "";
    return isDay(value) ? value : "";
  };
  return { from: day("from"), to: day("to") };
}

export function ListFilters({ placeholder, filter, days = false, children }: Props) {
  const chosenDays = useListDays();
  const { search, chosen } = useListFilters(filter);
  const set = useSetFilter();
  const [isOpen, setOpen] = useState(chosenDays.from !== "" || chosenDays.to !== "");
  const [typed, setTyped] = useState(search);
  // Follows the address after the sidebar or Back, but not the search that this box sent: the user may type more.
  const [sent, setSent] = useState(search);
  const [followed, setFollowed] = useState(search);
  if (search !== followed) {
    setFollowed(search);
    if (search !== sent) {
      setSent(search);
      setTyped(search);
    }
  }
  const input = useRef<HTMLInputElement>(null);
  const clear = () => {
    setTyped("");
    input.current?.focus();
  };
  useEffect(() => {
    if (typed.trim() === search) return;
    const timer = setTimeout(() => {
      setSent(typed.trim());
      set("search", typed.trim());
    }, pauseMs);
    return () => clearTimeout(timer);
  });
  return (
    <div className={styles.filters} role="search">
      <TextInput
        aria-label="Search"
        id="list-search"
        type="search"
        placeholder={placeholder}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        ref={input}
        rightSectionWidth="2.75rem"
        rightSection={
          typed ? (
            <IconButton className={styles.clear} label="Clear" onClick={clear}>
              <X size={18} strokeWidth={1.8} aria-hidden />
            </IconButton>
          ) : null
        }
      />
      {filter ? (
        <NativeSelect
          aria-label={filter.label}
          id="list-filter"
          value={chosen}
          onChange={(event) => set(filter.name, event.currentTarget.value)}
          data={[{ value: "", label: filter.all }, ...filter.choices]}
        />
      ) : null}
      {days ? (
        <>
          {/* On a phone, the button shows the dates. */}
          <Button tone="line" className={styles.dates} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Dates
          </Button>
          <div className={`${styles.days} ${isOpen ? "" : styles.hidden}`}>
            {(["from", "to"] as const).map((name) => (
              <DayField key={name} name={name} verb={days === true ? "" : days} days={chosenDays} />
            ))}
          </div>
        </>
      ) : null}
      {children}
    </div>
  );
}

type DayProps = Readonly<{ name: "from" | "to"; verb: string; days: ReturnType<typeof useListDays> }>;

function DayField({ name, verb, days }: DayProps) {
  const set = useSetFilter();
  const value = days[name];
  const [sent, setSent] = useState(value);
  const [followed, setFollowed] = useState({ value, times: 0 });
  if (value !== followed.value) {
    setFollowed({ value, times: followed.times + (value === sent ? 0 : 1) });
    setSent(value);
  }
  const words = capitalized(`${name === "from" ? verb : ""} ${name}`.trim());
  return (
    <PanelMonths value={1}>
      <DateField
        key={followed.times}
        label={`${words} day${name === "to" && verb ? `, ${verb.toLowerCase()}` : ""}`}
        visible={words}
        name={name}
        defaultValue={value}
        limitsOf={(today) => daysBetween(today, name === "to" ? days.from : "", name === "from" ? days.to : "")}
        clearLabel="Any day"
        onPick={(day) => {
          if (day !== "" && !isDay(day)) return;
          setSent(day);
          set(name, day);
        }}
      />
    </PanelMonths>
  );
}

type FilterTab = Readonly<{ value: string; label: string; count?: number | undefined }>;

type TabsProps = Readonly<{ label: string; name: string; chosen: string; tabs: readonly FilterTab[] }>;

export function FilterTabs({ label, name, chosen, tabs }: TabsProps) {
  const address = useListAddress();
  return (
    <PageTabs
      label={label}
      current={chosen}
      tabs={tabs.map(({ value, label: text, count }) => ({
        name: value,
        label: text,
        to: address({ [name]: value }),
        count,
      }))}
    />
  );
}

type OrderProps = Readonly<{
  orders: readonly Readonly<{ value: string; label: string }>[];
  className?: string | undefined;
}>;

export function SortChoice({ orders, className }: OrderProps) {
  const [query] = useSearchParams();
  const set = useSetFilter();
  return (
    <NativeSelect
      className={className}
      aria-label="Order"
      value={query.get("sort") ?? ""}
      onChange={(event) => set("sort", event.currentTarget.value)}
      data={[...orders]}
    />
  );
}

type ExportProps = Readonly<{
  list: ExportedList;
  filters: Readonly<Record<string, string>>;
  ids?: readonly string[] | undefined;
  label?: string;
}>;

export const ExportButton = ({ list, filters, ids, label = "Export" }: ExportProps) => (
  <Button tone="line" size="sm" busyLabel="Exporting..." onClick={() => attempt(() => downloadCsv(list, filters, ids))}>
    {label}
  </Button>
);
