import "../../ui/print.css";
import { useState } from "react";
import { data, Link } from "react-router";
import type { ArtistProfile } from "#artists/api.ts";
import { experienceText, priceFrom, priceRange, shareUrl, townOf } from "#artists/rules.ts";
import { answerHours } from "#bookings/rules/acceptance.rules.ts";
import { mailtoOf } from "#platform/pages/mailto.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { unlessMissing } from "../../lib/api-error.ts";
import { apiContext } from "../../lib/api/api-context.ts";
import { pageMeta, shortText } from "../../lib/page-meta.ts";
import { LinkButton } from "../../ui/button.tsx";
import { DetailRow } from "../../ui/detail-row.tsx";
import { ArtistPicture } from "../../ui/picture.tsx";
import { Rating } from "../../ui/star.tsx";
import { PolicyTerms } from "../policy-terms.tsx";
import { readSearchedDate, type SearchedDate } from "../searched-date.ts";
import type { Route } from "./+types/artist-page.ts";
import { Answers, usualAnswer } from "./answers.tsx";
import { ArtistNotFound } from "./artist-not-found.tsx";
import { Availability, BookPanel, describeChosenDate, HoldNights, NextStep, useChosenDate } from "./availability.tsx";
import { Portfolio } from "./portfolio.tsx";
import { Reviews } from "./reviews.tsx";
import { Samples } from "./samples.tsx";
import { NextShows } from "./shows.tsx";
import shared from "../programme.module.css";
import styles from "./profile.module.css";

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const url = new URL(paths.artist(params.slug), request.url).href;
  const searched = readSearchedDate(new URL(request.url).searchParams);
  const artist = await unlessMissing(context.get(apiContext).artists.get({ slug: params.slug }));
  const image = artist && new URL(artist.photo_url ?? shareUrl(artist), url).href;
  return data({ artist, searched, url, image }, { status: artist ? 200 : 404 });
}

export const meta: Route.MetaFunction = ({ loaderData }) => {
  const artist = loaderData?.artist;
  if (!artist) return [{ title: "Artist not found" }, { name: "robots", content: "noindex" }];
  const { url } = loaderData;
  return pageMeta({
    title: `${artist.name}: live ${artist.genre}${artist.location ? `, ${townOf(artist.location)}` : ""}`,
    description: artist.bio
      ? shortText(artist.bio)
      : `Book ${artist.name}, live ${artist.genre}. ${priceRange(artist)}.`,
    url,
    image: loaderData.image,
    type: "profile",
    jsonLd: {
      "@type": "MusicGroup",
      name: artist.name,
      url,
      genre: artist.genre,
      ...(artist.location ? { location: { "@type": "Place", name: artist.location } } : {}),
      ...(artist.shows.length > 0 ? { event: artist.shows.map((show) => eventOf(show, artist.name)) } : {}),
      ...(artist.review_count > 0
        ? {
            aggregateRating: {
              "@type": "AggregateRating",
              ratingValue: artist.rating,
              reviewCount: artist.review_count,
              bestRating: 5,
            },
          }
        : {}),
    },
  });
};

const eventOf = ({ date, town, venue }: ArtistProfile["shows"][number], name: string) => ({
  "@type": "MusicEvent",
  name,
  startDate: date,
  location: { "@type": "Place", name: venue ?? town, address: town },
});

export default function ArtistPage({ loaderData }: Route.ComponentProps) {
  const { artist, searched } = loaderData;
  return artist ? (
    <Profile key={`${artist.slug} ${searched.date}`} artist={artist} searched={searched} />
  ) : (
    <ArtistNotFound />
  );
}

function Profile({ artist, searched: { date, town } }: { artist: ArtistProfile; searched: SearchedDate }) {
  const [chosen, setChosen] = useState(date);
  const choice = useChosenDate({ artist, chosen, town });
  return (
    <>
      <ProfileHeader {...choice} />
      <div className={`wrap ${shared.cols} ${styles.cols}`}>
        <div>
          {artist.samples.length > 0 ? (
            <Part title="Listen">
              <Samples artist={artist} />
            </Part>
          ) : null}
          {artist.bio ? (
            <Part title="About">
              <p className={styles.bio}>{artist.bio}</p>
            </Part>
          ) : null}
          <Availability artist={artist} chosen={chosen} onChoose={setChosen}>
            {/* On a phone the panel with this button is far below. */}
            <HoldNights className={styles.underCalendar} {...choice} />
          </Availability>
          <Lines title="Specialties" items={artist.specialties} />
          <Lines title="Equipment" items={artist.equipment} />
          <Portfolio artist={artist} />
          <Part title="If you cancel, you lose">
            <div className={styles.terms}>
              <PolicyTerms artist={artist} />
            </div>
          </Part>
          <Part title="Recent Reviews">
            <Reviews artist={artist} />
          </Part>
        </div>
        <aside
          className={`${shared.part} ${shared.side} ${shared.stick} ${styles.aside}`}
          aria-label="Price, shows, answers and similar artists"
        >
          <BookPanel {...choice} />
          <NextShows shows={artist.shows} />
          <Answers counts={artist.answers} />
          <Similar {...choice} />
        </aside>
      </div>
      <div className={`wrap ${styles.barplace}`}>
        <div className={shared.bar}>
          <span>
            <strong className="num">{priceRange(artist)}</strong>
            {chosen ? <span className={`small quiet ${styles.barDate}`}>{describeChosenDate(choice)}</span> : null}
          </span>
          <NextStep {...choice} />
        </div>
      </div>
    </>
  );
}

type ChoiceProps = Readonly<{ artist: ArtistProfile; chosen: string | undefined; town: string | undefined }>;

function ProfileHeader({ artist, chosen, town }: ChoiceProps) {
  const experience = experienceText(artist.years_experience);
  const answersWithin = usualAnswer(artist.answers);
  return (
    <section className={`wrap ${styles.action}`} aria-label="At a glance">
      <span className="poster">
        <ArtistPicture
          artist={artist}
          sizes="(max-width: 768px) 17rem, 24rem"
          alt={artist.photo_url ? `Photo of ${artist.name}` : `Poster of ${artist.name}`}
          fetchPriority="high"
        />
      </span>
      <div>
        <p className="quiet">
          <Link to={paths.browse()}>Browse Artists</Link> /{" "}
          <Link className={styles.genre} to={paths.browse({ genre: artist.genre })}>
            {artist.genre}
          </Link>
        </p>
        <h1>{artist.name}</h1>
        <dl className={styles.details}>
          <DetailRow label="Rating">
            <Rating rating={artist.rating} reviews={artist.review_count} withLabel />
          </DetailRow>
          {experience ? <DetailRow label="Experience">{experience}</DetailRow> : null}
          {artist.location ? <DetailRow label="Location">{artist.location}</DetailRow> : null}
          {artist.contact?.email ? (
            <DetailRow label="Email">
              <a href={mailtoOf(artist.contact.email)}>{artist.contact.email}</a>
            </DetailRow>
          ) : null}
          {artist.contact?.phone ? (
            <DetailRow label="Phone">
              <a href={`tel:${artist.contact.phone}`}>{artist.contact.phone}</a>
            </DetailRow>
          ) : null}
          {answersWithin ? <DetailRow label="Answers within">{answersWithin}</DetailRow> : null}
          <DetailRow label="Genre">
            <span className={styles.genre}>{artist.genre}</span>
          </DetailRow>
          <DetailRow label="Price range">
            <span className="num">{priceRange(artist)}</span>
          </DetailRow>
          {artist.requires_deposit ? null : (
            <DetailRow label="Deposit">No deposit: the artist answers within {answerHours} hours</DetailRow>
          )}
        </dl>
        <LinkButton size="big" className={styles.besideBar} to={paths.book(artist.slug, chosen, town)}>
          Book Me Now
        </LinkButton>
      </div>
    </section>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className={shared.part}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Lines({ title, items }: { title: string; items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <Part title={title}>
      <ul className={styles.ticks}>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </Part>
  );
}

function Similar({ artist, chosen, town }: ChoiceProps) {
  if (artist.similar.length === 0) return null;
  return (
    <section>
      <h2>Similar artists</h2>
      <ul className={styles.alike}>
        {artist.similar.map((other) => (
          <li key={other.id}>
            <Link to={paths.artist(other.slug, chosen, town)}>
              <span className="poster">
                <ArtistPicture artist={other} sizes="12rem" alt="" loading="lazy" />
              </span>
              <strong>{other.name}</strong>
              <span className="small quiet">
                {[priceFrom(other), townOf(other.location)].filter(Boolean).join(", ")}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <p className={`small ${styles.all}`}>
        <Link to={paths.browse({ genre: artist.genre })}>All {artist.genre} artists</Link>
      </p>
    </section>
  );
}
