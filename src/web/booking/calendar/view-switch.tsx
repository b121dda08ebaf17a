import { Link, useSearchParams } from "react-router";
import { useListAddress } from "../../dashboard/lists/address.ts";
import { LinkButton } from "../../ui/button.tsx";
import pages from "../../dashboard/lists/pages.module.css";

const labels = { "": "List", month: "Month", week: "Week" } as const;
type CalendarView = keyof typeof labels;

/** Returns the view in the address: the list unless it is one of `views`. */
export function useCalendarView<View extends CalendarView>(views: readonly View[]): View | "" {
  const [query] = useSearchParams();
  return views.find((view) => view === query.get("view")) ?? "";
}

export function ViewSwitch({ views, chosen }: Readonly<{ views: readonly CalendarView[]; chosen: CalendarView }>) {
  const address = useListAddress();
  const [query] = useSearchParams();
  const month = query.get("month") ?? query.get("week")?.slice(0, 7) ?? "";
  const week = query.get("week") ?? (month && `${month}-01`);
  // The displayed time remains when the view switches between month and week.
  const timeOf = { "": {}, month: { month, week: "" }, week: { month: "", week } };
  return (
    <nav className={pages.switch} aria-label="View">
      {views.map((view) => (
        <Link key={view} to={address({ view, ...timeOf[view] })} aria-current={view === chosen ? "page" : undefined}>
          {labels[view]}
        </Link>
      ))}
    </nav>
  );
}

export const TodayLink = ({ to }: Readonly<{ to: string }>) => (
  <LinkButton tone="line" size="sm" to={to} preventScrollReset>
    Today
  </LinkButton>
);
