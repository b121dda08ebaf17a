import { data, type ShouldRevalidateFunction, useLocation, useNavigate } from "react-router";
import type { ArtistProfile } from "#artists/api.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { unlessMissing } from "../../lib/api-error.ts";
import { apiContext } from "../../lib/api/api-context.ts";
import { useHydrated } from "../../lib/browser/use-hydrated.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { LinkButton } from "../../ui/button.tsx";
import { ArtistNotFound } from "../artist/artist-not-found.tsx";
import { readSearchedDate, type SearchedDate } from "../searched-date.ts";
import type { Route } from "./+types/book-page.ts";
import { BookingForm } from "./booking-form.tsx";
import { BookingThanks, type SentBooking } from "./booking-thanks.tsx";
import shared from "../programme.module.css";

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const url = new URL(request.url);
  const searched = readSearchedDate(url.searchParams);
  const artist = await unlessMissing(context.get(apiContext).artists.get({ slug: params.slug }));
  const address = new URL(paths.book(params.slug), url).href;
  return data({ artist, searched, url: address }, { status: artist ? 200 : 404 });
}

/** The thank-you page has the same address, and the artist is already loaded. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.href !== nextUrl.href && defaultShouldRevalidate;

export const meta: Route.MetaFunction = ({ loaderData }) => {
  const artist = loaderData?.artist;
  if (!artist) return [{ title: "Artist not found" }, { name: "robots", content: "noindex" }];
  return pageMeta({
    title: `Book ${artist.name}`,
    description: `Request a date with ${artist.name}. You get a contract within 24 hours${artist.requires_deposit ? "" : " of the acceptance"}.`,
    url: loaderData.url,
  });
};

export default function BookPage({ loaderData }: Route.ComponentProps) {
  const { artist, searched } = loaderData;
  return artist ? <Book key={artist.slug} artist={artist} searched={searched} /> : <ArtistNotFound />;
}

function Book({ artist, searched }: { artist: ArtistProfile; searched: SearchedDate }) {
  const navigate = useNavigate();
  const sent = useSent();
  if (sent) return <BookingThanks artist={artist} booking={sent} />;
  return (
    <div className="wrap">
      <div className={shared.title}>
        <h1>Book {artist.name}</h1>
        <p>
          {!artist.price_confirmed
            ? null
            : artist.base_rate > 0
              ? artist.requires_deposit
                ? "You get a contract within 24 hours of your request."
                : "Once your request is accepted, we send the contract within 24 hours."
              : `${artist.name} answers your request by email.`}
        </p>
      </div>
      {artist.price_confirmed ? (
        <BookingForm
          artist={artist}
          searched={searched}
          onSent={(booking) => void navigate("", { state: { sent: booking } })}
        />
      ) : (
        <div className={shared.stack}>
          <p className="note gold">
            <strong>{artist.name} cannot be booked at the moment.</strong> The artist must confirm a new price first.
            Please come back later.
          </p>
          <LinkButton tone="line" to={paths.browse()}>
            Browse Artists
          </LinkButton>
        </div>
      )}
    </div>
  );
}

/** Returns the sent request from the history: "back" shows the form, a reload the thank-you page. */
function useSent(): SentBooking | undefined {
  const state: unknown = useLocation().state;
  const ready = useHydrated();
  return ready && isSent(state) ? state.sent : undefined;
}

const isSent = (state: unknown): state is { sent: SentBooking } =>
  typeof state === "object" && state !== null && "sent" in state;
