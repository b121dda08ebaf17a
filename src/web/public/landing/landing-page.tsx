import { lazy, Suspense, useEffect } from "react";
import { data, isRouteErrorResponse, Link, type ShouldRevalidateFunction } from "react-router";
import { shareUrl } from "#artists/rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { type ApiClient, apiContext } from "../../lib/api/api-context.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { CardRow, FeaturedCard } from "../artist-card.tsx";
import { isOnlyComparison } from "../compare-tick/is-only-comparison.ts";
import type { Route } from "./+types/landing-page.ts";
import { type BrowseQuery, filtersOf, isUnfiltered, pageLength } from "./browse-query.ts";
import { Hero } from "./hero.tsx";
import { readBrowse } from "./read-browse.ts";
import styles from "./landing.module.css";
import nightStyles from "./night.css?url";

/** The list is below the first screen and loads lazily. */
const loadBrowse = async () => ({ default: (await import("./browse.tsx")).Browse });
const Browse = lazy(loadBrowse);
// Starts loading in the browser while the first screen hydrates.
if (!import.meta.env.SSR) void loadBrowse();

const wallSize = 6;

export async function loader({ request, context }: Route.LoaderArgs) {
  const api = context.get(apiContext);
  const url = new URL(request.url);
  const query = readBrowse(url.searchParams);
  // The hero's posters ignore the search. The unfiltered list begins with its artists. Others need a second request.
  const front = isUnfiltered(query) || query.night ? undefined : api.artists.list({ limit: 2 * wallSize });
  const [{ items: featured }, list, first] = await Promise.all([
    api.artists.featured({}),
    query.night ? readNight(api, query, query.night) : readList(api, query),
    front,
  ]);
  const listed = first?.items ?? (list.failure ? [] : list.items);
  const others = listed.filter(({ id }) => featured.every((one) => one.id !== id));
  const wall = query.night ? [] : [...featured, ...others].slice(0, wallSize);
  const status = list.failure ? list.failure.status : 200;
  const image = featured[0] && new URL(shareUrl(featured[0]), url).href;
  return data({ query, featured, wall, list, image, url: `${url.origin}${paths.home}` }, { status });
}

/** The displayed data, retained when a new query fails. */
let shown: Awaited<ReturnType<typeof loader>>["data"] | undefined;

/** Loads from the server. After a failure the page remains, and only the list reports it. */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  try {
    const [response] = await Promise.all([serverLoader(), loadBrowse()]);
    return response;
  } catch (error) {
    if (!shown) throw error;
    const { message, reference, status = 503 } = apiErrorOf(error);
    return { ...shown, list: { failure: { message, reference, status } } };
  }
}

const readList = (api: ApiClient, query: BrowseQuery): Promise<BrowseList> =>
  orFailure(async () => {
    const filters = filtersOf(query);
    const [page, count] = await Promise.all([
      api.artists.list({ ...filters, sort: query.sort, cursor: query.cursor, limit: pageLength }),
      api.artists.count(filters),
    ]);
    return { ...page, ...count };
  });

const fartherShown = 8;

const readNight = (api: ApiClient, query: BrowseQuery, night: string): Promise<BrowseList> =>
  orFailure(async () => {
    const filters = filtersOf(query);
    const { available: _, ...all } = filters;
    const free = api.artists.count({ ...all, available: true });
    const [page, listed, count, { genres }, farther] = await Promise.all([
      api.artists.list({ ...filters, sort: query.sort, cursor: query.cursor, limit: pageLength }),
      filters.available ? undefined : api.artists.count(filters),
      free,
      query.genre ? api.artists.count({ ...all, genre: undefined, available: true }) : free,
      query.town && !query.cursor
        ? api.artists.list({ ...all, night, farther: true, sort: "nearest", limit: fartherShown })
        : undefined,
    ]);
    return { ...page, ...count, genres, farther, listed };
  });

async function orFailure(read: () => Promise<FoundList>): Promise<BrowseList> {
  try {
    return { ...(await read()), failure: undefined };
  } catch (error) {
    const { message, reference, status = 503 } = apiErrorOf(error);
    return { failure: { message, reference, status } };
  }
}

type Page = Awaited<ReturnType<ApiClient["artists"]["list"]>>;
type Count = Awaited<ReturnType<ApiClient["artists"]["count"]>>;
/** `listed`: the number of all listed artists, if some of them are not free. */
type FoundList = Page & Count & { farther?: Page | undefined; listed?: Count | undefined };
export type BrowseList =
  | (FoundList & { failure: undefined })
  | { failure: { message: string; reference: string | undefined; status: number } };

/** A changed anchor or comparison needs no reload. The same address again requests fresh data. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) => {
  const samePage = currentUrl.pathname === nextUrl.pathname && currentUrl.search === nextUrl.search;
  if (isOnlyComparison(currentUrl, nextUrl)) return false;
  return samePage && currentUrl.hash !== nextUrl.hash ? false : defaultShouldRevalidate;
};

export const meta: Route.MetaFunction = ({ loaderData, error }) =>
  isRouteErrorResponse(error) || !loaderData
    ? [{ title: "Stagedoor" }]
    : pageMeta({
        title: "Stagedoor: Book Amazing Artists",
        description:
          "Find live artists who are free on your night, agree the fee, pay a deposit and sign. The artist is paid after the show.",
        url: loaderData.url,
        image: loaderData.image,
        jsonLd: { "@type": "WebSite", name: "Stagedoor", url: loaderData.url },
      });

export default function LandingPage({ loaderData }: Route.ComponentProps) {
  const { query, featured, wall, list } = loaderData;
  useEffect(() => {
    shown = loaderData;
  }, [loaderData]);
  return (
    <>
      {query.night ? <link rel="stylesheet" href={nightStyles} precedence="default" /> : null}
      <Hero artists={wall} query={query} />
      {featured.length > 0 && !query.night ? (
        <section className={`${styles.band} wrap`} aria-labelledby="featured">
          <div className={styles.head}>
            <h2 id="featured">Featured Artists</h2>
            <Link to={paths.browse()}>All artists</Link>
          </div>
          <CardRow>
            {featured.map((artist) => (
              <FeaturedCard key={artist.id} artist={artist} />
            ))}
          </CardRow>
        </section>
      ) : null}
      {query.night ? null : <WhyChooseUs />}
      <Suspense>
        <Browse query={query} list={list} />
      </Suspense>
    </>
  );
}

function WhyChooseUs() {
  return (
    <section className={`${styles.band} wrap`} aria-labelledby="why">
      <h2 id="why">Why Choose Us</h2>
      <ul className={styles.why}>
        <li>
          <svg viewBox="0 0 52 52" aria-hidden>
            <path d="M0 52V26a26 26 0 0 1 52 0v26z" fill="var(--accent)" />
            <path d="M12 52V28a14 14 0 0 1 28 0v24z" fill="var(--stock)" />
            <path d="M20 52V30a6 6 0 0 1 12 0v22z" fill="var(--lamp)" />
          </svg>
          <h3>Vetted Artists</h3>
          <p className="quiet">Reviews come only from promoters who booked the act here.</p>
        </li>
        <li>
          <svg viewBox="0 0 52 52" aria-hidden>
            <path d="M0 0h24v24H0zM28 28h24v24H28z" fill="var(--accent)" />
            <circle cx="40" cy="12" r="12" fill="var(--lamp)" />
            <path d="M0 28h24a24 24 0 0 1-24 24z" fill="var(--ink)" />
          </svg>
          <h3>Easy Booking</h3>
          <p className="quiet">
            One form, one deposit, one contract. It reaches you within 24 hours, and no one else can book the time that
            you have paid for.
          </p>
        </li>
        <li>
          <svg viewBox="0 0 52 52" aria-hidden>
            <circle cx="26" cy="26" r="26" fill="var(--ink)" />
            <path d="M26 0a26 26 0 0 1 0 52z" fill="var(--lamp)" />
            <circle cx="26" cy="26" r="9" fill="var(--accent)" />
          </svg>
          <h3>Quality Guaranteed</h3>
          <p className="quiet">We hold the fee until after the show. If the artist cancels, you get a full refund.</p>
        </li>
      </ul>
    </section>
  );
}
