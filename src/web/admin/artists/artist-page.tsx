import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { Link, useNavigate } from "react-router";
import { genres, posterUrl, priceFrom, priceRange } from "#artists/rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { platformDefaults } from "#settings/defaults.rules.ts";
import { useApiForm } from "../../dashboard/forms/api-form.tsx";
import { ListFailed } from "../../dashboard/lists/list-states.tsx";
import { PageHead } from "../../dashboard/page-head.tsx";
import { RateField } from "../../dashboard/settings/rate-field.tsx";
import { rateOf, rateProblem, rateText } from "../../dashboard/settings/rates.ts";
import { SaveBar } from "../../dashboard/settings/save-bar.tsx";
import { type EditedArtist, useAdminArtist, useChangeArtist, useCreateArtist } from "../../lib/api/admin/artists.ts";
import { requiredMessage } from "../../lib/form-validation.ts";
import { useSite } from "../../lib/site.ts";
import { toast } from "../../lib/toasts.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import type { Route } from "./+types/artist-page.ts";
import { ActiveSwitch } from "./artist-switches.tsx";
import form from "./artists.module.css";

export const meta: Route.MetaFunction = () => [{ title: "Artist: Admin Panel" }];

export default function AdminArtistPage({ params }: Pick<Route.ComponentProps, "params">) {
  const id = params.id === "new" ? undefined : params.id;
  const query = useAdminArtist(id);
  const artist = query.data;
  return (
    <>
      <p className="small">
        <Link to={paths.admin.artists}>Artists</Link>
      </p>
      <PageHead
        title={id ? (artist?.name ?? "Artist") : "New artist"}
        actions={
          artist?.is_active && artist.is_public ? (
            <LinkButton tone="line" size="sm" to={paths.artist(artist.slug)}>
              Public profile
            </LinkButton>
          ) : null
        }
      />
      {query.error && !query.isFetching && !artist ? (
        <ListFailed what="The artist" query={query} />
      ) : id && !artist ? (
        <div className={form.editor} role="status" aria-label="Loading">
          <Skeleton height="52rem" />
          <div className={form.aside}>
            <Skeleton className={form.poster} />
          </div>
        </div>
      ) : (
        <div className={form.editor}>
          <ArtistForm key={id ?? "new"} artist={artist} />
          {artist ? (
            <div className={form.aside}>
              <img src={posterUrl(artist, "poster")} width={600} height={800} alt="" />
              <ActiveSwitch artist={artist} />
            </div>
          ) : null}
        </div>
      )}
    </>
  );
}

function ArtistForm({ artist }: Readonly<{ artist: EditedArtist | undefined }>) {
  const create = useCreateArtist();
  const change = useChangeArtist();
  const navigate = useNavigate();
  const currency = useSite()?.currency ?? platformDefaults.currency;
  const storedBase = artist?.price_confirmed ? artist.base_rate : 0;
  const fields = useApiForm({
    initialValues: {
      name: artist?.name ?? "",
      genre: artist?.genre ?? "other",
      bio: artist?.bio ?? "",
      location: artist?.location ?? "",
      // Rates in a former platform currency must be entered again.
      base_rate: artist?.base_rate && artist.price_confirmed ? rateText(artist.base_rate) : "",
      top_rate: artist?.top_rate && artist.price_confirmed ? rateText(artist.top_rate) : "",
      photo_url: artist?.photo_url ?? "",
      video_url: artist?.video_url ?? "",
    },
    validate: {
      name: (name) => requiredMessage(name, "Enter the artist's name."),
      base_rate: (rate) =>
        artist?.price_confirmed === false && rate.trim() === ""
          ? `Enter the rate in ${currency.toUpperCase()}. The former one was ${formatMoney(artist.base_rate, artist.currency)}.`
          : rateProblem(rate),
      top_rate: rateProblem,
    },
    send: async ({ name, bio, location, photo_url, video_url, ...typed }) => {
      const genre = genres.find((one) => one === typed.genre) ?? "other";
      const base_rate = rateOf(typed.base_rate);
      const top_rate = rateOf(typed.top_rate) || null;
      const given = { name, genre, bio, location, base_rate, top_rate, photo_url, video_url };
      // Only what has changed here: the artist may have changed the rest since.
      const changed = Object.fromEntries(fields.changed.map((name) => [name, given[name]]));
      const saved = artist ? await change.mutateAsync({ id: artist.id, ...changed }) : await create.mutateAsync(given);
      toast({ title: `${saved.name} is saved`, text: artist ? undefined : "The artist can be found and booked now." });
      if (artist) fields.markSaved();
      else await navigate(paths.admin.artists);
    },
  });
  const rateProps = (name: "base_rate" | "top_rate") => ({
    value: fields.values[name],
    error: undefined,
    ...fields.field(name),
  });
  const base_rate = rateOf(fields.values.base_rate);
  const top_rate = rateOf(fields.values.top_rate);
  return (
    <form {...fields.props}>
      <div className={form.form}>
        <div className={form.two}>
          <TextInput label="Artist name" maxLength={120} required {...fields.field("name")} />
          <NativeSelect
            label="Genre"
            data={[...genres]}
            classNames={{ input: form.genre ?? "" }}
            {...fields.field("genre")}
          />
        </div>
        <Textarea label="Biography (optional)" rows={6} maxLength={5_000} {...fields.field("bio")} />
        <TextInput
          label="Location (optional)"
          description="A town with its state or country. It sets the time zone of the calendar."
          maxLength={200}
          {...fields.field("location")}
        />
        <div className={form.two}>
          <RateField
            label="Base rate (in cents)"
            currency={currency}
            stored={storedBase}
            placeholder="1,500.00"
            shown={
              base_rate === 0
                ? "Leave empty for “On request”."
                : `Shown as “${priceFrom({ base_rate, currency })}” on the profile.`
            }
            {...rateProps("base_rate")}
          />
          <RateField
            label="Top rate (optional)"
            currency={currency}
            stored={artist?.price_confirmed && artist.top_rate ? artist.top_rate : storedBase}
            shown={
              top_rate > base_rate
                ? `Shown as “${priceRange({ base_rate, top_rate, currency })}” on the profile.`
                : "The upper end of the price range."
            }
            {...rateProps("top_rate")}
          />
        </div>
        <TextInput label="Photo URL (optional)" type="url" maxLength={500} {...fields.field("photo_url")} />
        <TextInput label="Video URL (optional)" type="url" maxLength={500} {...fields.field("video_url")} />
        {artist ? null : (
          <>
            <ErrorNote message={fields.error} />
            <div className={form.actions}>
              <LinkButton tone="line" to={paths.admin.artists}>
                Cancel
              </LinkButton>
              <Button type="submit" busy={fields.busy} busyLabel="Saving...">
                Create artist
              </Button>
            </div>
          </>
        )}
      </div>
      {artist ? (
        <SaveBar
          save="Save"
          changes={fields.changed.map((name) => fieldNames[name])}
          error={fields.error}
          busy={fields.busy}
          onUndo={fields.reset}
        />
      ) : null}
    </form>
  );
}

const fieldNames = {
  name: "name",
  genre: "genre",
  bio: "biography",
  location: "location",
  base_rate: "base rate",
  top_rate: "top rate",
  photo_url: "photo URL",
  video_url: "video URL",
} as const;
