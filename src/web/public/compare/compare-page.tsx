import { data } from "react-router";
import { maxCompared, namedSlugs } from "#artists/compare/compare.rules.ts";
import { townOf } from "#artists/rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { apiContext } from "../../lib/api/api-context.ts";
import { copyText } from "../../lib/browser/copy-text.ts";
import { formatDay } from "../../lib/format/dates.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/states/states.tsx";
import { nightOf } from "../landing/browse-query.ts";
import { readBrowse } from "../landing/read-browse.ts";
import type { Route } from "./+types/compare-page.ts";
import { ComparisonTable } from "./comparison-table.tsx";
import styles from "./compare.module.css";

export async function loader({ request, context }: Route.LoaderArgs) {
  const params = new URL(request.url).searchParams;
  const query = readBrowse(params);
  const slugs = namedSlugs(params.get("artists"));
  const { items } = await context.get(apiContext).artists.compare({ artists: slugs.join(","), ...nightOf(query) });
  const { night, town, kind } = query;
  const left = slugs.length - items.length;
  return data({ artists: items, left, query: { night, town, kind }, day: night ? formatDay(night) : undefined });
}

export const meta: Route.MetaFunction = () => [
  ...pageMeta({ title: "Compare acts", description: "Acts side by side: price, distance, rating and sound." }),
  { name: "robots", content: "noindex" },
];

const countWords = ["", "", "two", "three", "four"];

export default function ComparePage({ loaderData }: Route.ComponentProps) {
  const { artists, left, query, day } = loaderData;
  const { night, town, kind } = query;
  const back = paths.browse({ night, town, kind, compare: artists.map(({ slug }) => slug).join(",") });
  if (artists.length < 2)
    return (
      <div className={`wrap ${styles.page}`}>
        <EmptyState
          heading="h1"
          title="Choose at least two acts"
          text="Select up to four acts in the list to see them side by side."
        >
          <LinkButton to={back}>Browse acts</LinkButton>
        </EmptyState>
      </div>
    );
  const free = artists.filter((artist) => artist.night?.state === "free").length;
  return (
    <div className={`wrap ${styles.page}`}>
      <div className={styles.head}>
        <h1>Compare {countWords[artists.length]} acts</h1>
        <div className={styles.buttons}>
          <LinkButton tone="line" size="sm" to={back}>
            Back to the list
          </LinkButton>
          <Button tone="line" size="sm" onClick={() => void copyAddress()}>
            Copy link
          </Button>
        </div>
        <p>
          {day
            ? `${[day, townOf(town), kind].filter(Boolean).join(", ")}. ${freeWords(free, artists.length, town)}`
            : "Search for a date to see who is free and what is nearest."}
          {left > 0 ? ` ${leftText(left, artists.length)}` : ""}
        </p>
      </div>
      <ComparisonTable artists={artists} query={query} />
    </div>
  );
}

/** Returns why acts of the link are not compared. With fewer than four columns, they have all closed. */
const leftText = (left: number, compared: number): string =>
  compared === maxCompared
    ? `This link names ${left + compared} acts. Four of them are compared.`
    : `${left === 1 ? "One act" : `${left} acts`} of this link can no longer be booked here.`;

const copyAddress = () =>
  copyText(window.location.href, {
    done: { title: "Link copied" },
    otherwise: "Copy the address of this page instead.",
  });

const freeWords = (free: number, all: number, town: string): string => {
  const travel = (verb: string) => (town ? ` and ${verb} to ${townOf(town)}` : "");
  if (free === 1) return `One is free${travel("comes")}.`;
  const everyone = all === 2 ? "Both" : `All ${countWords[all]}`;
  const subject = free === all ? everyone : `${free === 0 ? "None" : free} of them`;
  return `${subject} are free${travel("come")}.`;
};
