import { type FocusEvent, type ReactNode, useRef } from "react";
import { Link } from "react-router";
import type { ComparedArtist } from "#artists/api.ts";
import { bestOf } from "#artists/compare/compare.rules.ts";
import { experienceText, townOf } from "#artists/rules.ts";
import { answerHours } from "#bookings/rules/acceptance.rules.ts";
import { policyNamed } from "#bookings/rules/cancellation/cancellation.rules.ts";
import { policyLines } from "#bookings/rules/cancellation/policy-text.rules.ts";
import { chargeable, defaultCurrency, isCurrency, splitPrice } from "#payments/rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { useSite } from "../../lib/site.ts";
import { PlayerIcon } from "../../player/icons.tsx";
import { PlayButton } from "../../player/play-button.tsx";
import { clockTime, trackOf, usePlayer } from "../../player/player.ts";
import { Waveform } from "../../player/waveform.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { ArtistPicture } from "../../ui/picture.tsx";
import { Rating } from "../../ui/star.tsx";
import { ColumnNames } from "./column-names.tsx";
import styles from "./compare.module.css";

type ComparisonQuery = Readonly<{ night: string | undefined; town: string; kind: string | undefined }>;
type Props = Readonly<{ artists: readonly ComparedArtist[]; query: ComparisonQuery }>;

/** Chromium leaves a control that takes the focus at the edge of the scrolled table. A click must not move its target. */
function showFocused({ target, currentTarget }: FocusEvent<HTMLElement>): void {
  if (target !== currentTarget && target.matches(":focus-visible"))
    target.scrollIntoView({ block: "nearest", inline: "nearest" });
}

export function ComparisonTable({ artists, query }: Props) {
  const depositPercent = useSite()?.depositPercent ?? 0;
  const prices = artists.map((artist) => priceOf(artist, depositPercent));
  const fees = prices.map(({ fee }) => fee);
  const distances = artists.map(({ miles }) => miles ?? undefined);
  const ratings = artists.map(({ rating, review_count }) => (review_count > 0 ? rating : undefined));
  const row = (label: string, cell: (artist: ComparedArtist, at: number) => ReactNode, best?: Best) => (
    <Row label={label} artists={artists} cell={cell} best={best} />
  );
  const has = (known: (artist: ComparedArtist) => unknown) => artists.some(known);
  const head = useRef<HTMLTableSectionElement>(null);
  const names = useRef<HTMLDivElement>(null);
  return (
    <div>
      <ColumnNames artists={artists} head={head} ref={names} />
      {/* The table scrolls sideways on a phone, so it must be focusable. */}
      <div
        className={styles.frame}
        role="region"
        aria-label="Comparison"
        tabIndex={0}
        onFocusCapture={showFocused}
        onScroll={({ currentTarget }) => {
          if (names.current) names.current.scrollLeft = currentTarget.scrollLeft;
        }}
      >
        <p className={styles.swipe}>Swipe for the other acts.</p>
        <table className={styles.table}>
          <colgroup>
            <col />
            {artists.map(({ slug }) => (
              <col key={slug} />
            ))}
          </colgroup>
          <thead ref={head}>
            <tr>
              <td />
              {artists.map((artist) => (
                <ColumnHead key={artist.slug} artist={artist} others={artists} query={query} />
              ))}
            </tr>
          </thead>
          <tbody>
            {has(({ sample }) => sample) ? row("Listen", (artist) => <Listen artist={artist} />) : null}
            {row(
              "Price for the night",
              (_, at) => (
                <span className={styles.price}>{prices[at]?.text}</span>
              ),
              { at: bestOf(fees, "least"), label: "lowest" },
            )}
            {row("To pay now", (_, at) => prices[at]?.deposit)}
            {query.night
              ? row("That night", ({ night }) => (
                  <span className={`note ${night?.state === "free" ? "green" : ""} ${styles.slip}`}>
                    {night?.state === "away" ? "Free" : night?.message}
                  </span>
                ))
              : null}
            {has(({ miles }) => miles !== null)
              ? row("Distance", ({ miles, location }) => distanceWords(miles, location), {
                  at: bestOf(distances, "least"),
                  label: "nearest",
                })
              : null}
            {row(
              "Rating",
              ({ rating, review_count }) => (
                <Rating rating={rating} reviews={review_count} withLabel />
              ),
              { at: bestOf(ratings, "most"), label: "highest" },
            )}
            {row("Experience", ({ years_experience }) => experienceText(years_experience) ?? "Not stated")}
            {row("Confirmation", ({ requires_deposit }) =>
              requires_deposit ? "Instant, once the deposit is paid" : `Within ${answerHours} hours`,
            )}
            {row("Included", ({ equipment }) => (
              <Included items={equipment.filter((item) => !isNeed(item))} />
            ))}
            {has(({ equipment }) => equipment.some(isNeed))
              ? row("Needs", ({ equipment }) => (
                  <Included items={equipment.filter(isNeed).map(withoutNeeds)} none="Nothing" />
                ))
              : null}
            {row("If you cancel, you lose", ({ cancellation_policy, requires_deposit }) =>
              lossesOf(cancellation_policy, requires_deposit),
            )}
          </tbody>
          <tfoot>
            <tr>
              <td />
              {artists.map(({ slug, name, night }) => {
                const isAway = night?.state === "away";
                return (
                  <td key={slug}>
                    <LinkButton
                      tone="line"
                      wide
                      to={paths.book(slug, query.night, query.town)}
                      aria-label={isAway ? `Request anyway: ${name}` : `Book ${name}`}
                    >
                      {isAway ? (
                        "Request anyway"
                      ) : (
                        <span className={styles.book}>
                          Book <span className={styles.bookName}>{name}</span>
                        </span>
                      )}
                    </LinkButton>
                  </td>
                );
              })}
            </tr>
          </tfoot>
        </table>
      </div>
    </div>
  );
}

type Best = Readonly<{ at: number | undefined; label: string }>;
type RowProps = Readonly<{
  label: string;
  artists: readonly ComparedArtist[];
  cell(artist: ComparedArtist, at: number): ReactNode;
  best: Best | undefined;
}>;

function Row({ label, artists, cell, best }: RowProps) {
  const shown = artists.map(cell);
  const isSame = shown.length > 1 && typeof shown[0] === "string" && new Set(shown).size === 1;
  return (
    <tr>
      <th scope="row">{label}</th>
      {isSame ? (
        <td colSpan={shown.length}>
          <div className={styles.same}>{linesOf(shown[0])}</div>
        </td>
      ) : (
        artists.map(({ slug }, at) => (
          <td key={slug}>
            {linesOf(shown[at])}
            {best?.at === at ? <span className={styles.best}>{best.label}</span> : null}
          </td>
        ))
      )}
    </tr>
  );
}

const linesOf = (content: ReactNode): ReactNode =>
  typeof content === "string" && content.includes("\n") ? <Included items={content.split("\n")} /> : content;

const lossesOf = (name: string, hasDeposit: boolean) =>
  policyLines(policyNamed(name), hasDeposit)
    .map(({ time, lost }) => `${time}: ${lost}`)
    .join("\n");

const needs = /^needs:?\s+/i;
const isNeed = (item: string) => needs.test(item);
const withoutNeeds = (item: string) => item.replace(needs, "").replace(/^./, (first) => first.toUpperCase());

type HeadProps = Readonly<{ artist: ComparedArtist; others: readonly ComparedArtist[]; query: ComparisonQuery }>;

function ColumnHead({ artist, others, query }: HeadProps) {
  const left = others.filter(({ slug }) => slug !== artist.slug).map(({ slug }) => slug);
  const town = townOf(artist.location);
  return (
    <th scope="col">
      <span className={styles.act}>
        <span className="poster">
          <ArtistPicture artist={artist} sizes="6rem" alt="" />
        </span>
        <span>
          <Link to={paths.artist(artist.slug, query.night, query.town)}>{artist.name}</Link>
          <span className="cap small quiet">{town ? `${artist.genre}, ${town}` : artist.genre}</span>
        </span>
      </span>
      <Link
        className={styles.remove}
        to={paths.compare(left, query)}
        replace
        preventScrollReset
        aria-label={`Remove ${artist.name}`}
      >
        <PlayerIcon shape="close" />
      </Link>
    </th>
  );
}

function Listen({ artist }: Readonly<{ artist: ComparedArtist }>) {
  const { sample } = artist;
  const time = usePlayer((now) => (now.track?.id === sample?.id ? now.time : 0));
  if (!sample) return <span className="quiet">No sample</span>;
  return (
    <span className={styles.listen}>
      <PlayButton track={trackOf(artist, sample)} />
      <span>
        <span className={styles.wave}>
          <Waveform bars={sample.bars} count={48} played={time / sample.seconds} />
        </span>
        <span className="small quiet num">{clockTime(sample.seconds)}</span>
      </span>
    </span>
  );
}

function Included({ items, none = "Not stated" }: Readonly<{ items: readonly string[]; none?: string }>) {
  if (items.length === 0) return <span className="quiet">{none}</span>;
  return (
    <ul className={styles.included}>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}

const distanceWords = (miles: number | null, location: string): string => {
  if (miles === null) return "Not known";
  return miles === 0
    ? `Based in ${townOf(location)}`
    : `${miles.toLocaleString("en-US")} ${miles === 1 ? "mile" : "miles"}`;
};

/** Returns the price of the night and the first payment. `fee` is undefined without a comparable price. */
function priceOf(
  artist: ComparedArtist,
  platformPercent: number,
): { fee: number | undefined; text: string; deposit: string } {
  const currency = isCurrency(artist.currency) ? artist.currency : defaultCurrency;
  const fee = chargeable(artist.base_rate, currency);
  if (fee === 0) return { fee: undefined, text: "On request", deposit: "On request" };
  if (!artist.price_confirmed) return { fee: undefined, text: "To be confirmed", deposit: "To be confirmed" };
  const { deposit } = splitPrice(fee, artist.requires_deposit ? platformPercent : 0, currency);
  return {
    fee,
    text: formatMoney(fee, currency),
    deposit: deposit === 0 ? "Nothing" : `${formatMoney(deposit, currency)} deposit`,
  };
}
