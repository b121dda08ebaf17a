import { NativeSelect, Textarea } from "@mantine/core";
import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { useApiForm } from "../dashboard/forms/api-form.tsx";
import { SectionFailed } from "../dashboard/section-failed.tsx";
import {
  type OwnProfileClaim,
  useClaimableArtists,
  useSendProfileClaim,
  useOwnProfileClaims,
} from "../lib/api/profile-claims.ts";
import { lengthMessage } from "../lib/form-validation.ts";
import { formatLocalDayAndMonth } from "../lib/format/dates.ts";
import { toast } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";
import overview from "../dashboard/overview.module.css";

export function ProfileClaimSection() {
  const [claimable, mine] = [useClaimableArtists(), useOwnProfileClaims()];
  const own = mine.data?.items;
  if (!claimable.data || !own) {
    const failed = claimable.error ?? mine.error;
    const refetch = () => Promise.all([claimable.refetch(), mine.refetch()]);
    return failed ? (
      <SectionFailed className={overview.foot} what="Your claims" query={{ error: failed, refetch }} />
    ) : null;
  }
  const claimedArtistIds = new Set(own.filter((claim) => !claim.decidedAt).map((claim) => claim.artistId));
  const open = claimable.data.items.filter((artist) => !claimedArtistIds.has(artist.artistId));
  if (open.length === 0 && own.length === 0) return null;
  return (
    <section className={`${overview.section} ${overview.foot}`}>
      <h2>{open.length > 0 ? "Is this you?" : "Your claims"}</h2>
      {open.length > 0 ? <ClaimForm key={open.map((one) => one.artistId).join(" ")} artists={open} /> : null}
      {own.length > 0 ? (
        <ul className={`${overview.lines} ${open.length > 0 ? overview.foot : ""}`}>
          {own.map((claim) => (
            <ClaimLine key={claim.id} claim={claim} />
          ))}
        </ul>
      ) : null}
    </section>
  );
}

type Claimable = Readonly<{ artistId: string; name: string; slug: string; genre: string }>;

function ClaimForm({ artists }: Readonly<{ artists: readonly Claimable[] }>) {
  const send = useSendProfileClaim();
  const form = useApiForm({
    initialValues: { artistId: artists[0]?.artistId ?? "", evidence: "" },
    validate: {
      evidence: (text) => lengthMessage(text, 10, "Describe how an admin can verify that this is you."),
    },
    send: async (input) => {
      await send.mutateAsync(input);
      form.setValue("evidence", "");
      toast({ title: "Claim sent", text: "An admin reviews it. We email you the decision." });
    },
    fallback: "evidence",
  });
  const artist = artists.find((one) => one.artistId === form.values.artistId);
  return (
    <form className={overview.claimForm} {...form.props}>
      <p>
        {artist ? <Link to={paths.artist(artist.slug)}>{artist.name}</Link> : null} ({artist?.genre}) has your name and
        no owner yet. Tell us how we can verify that it is you. An admin decides.
      </p>
      {artists.length > 1 ? (
        <NativeSelect
          label="Artist profile"
          data={artists.map((one) => ({ value: one.artistId, label: `${one.name}, ${one.genre} (${one.slug})` }))}
          {...form.field("artistId")}
        />
      ) : null}
      <Textarea
        label="Evidence"
        rows={4}
        maxLength={4000}
        required
        description="Your own site, a booking page, or a venue that knows you. The admin must be able to check it."
        {...form.field("evidence")}
      />
      <div>
        <Button type="submit" busy={form.busy} busyLabel="Sending...">
          Send claim
        </Button>
      </div>
    </form>
  );
}

function ClaimLine({ claim }: Readonly<{ claim: OwnProfileClaim }>) {
  const [tone, done, label] = !claim.decidedAt
    ? ["gold", 50, "Waiting"]
    : claim.granted
      ? ["green", 100, "Granted"]
      : ["cherry", 0, "Declined"];
  return (
    <li>
      <span>
        <strong>{claim.artistName}</strong>
        <small>Asked {formatLocalDayAndMonth(claim.createdAt)}</small>
        {claim.note ? <small>{claim.note}</small> : null}
      </span>
      <span className={`badge ${tone}`} data-done={done}>
        {label}
      </span>
    </li>
  );
}
