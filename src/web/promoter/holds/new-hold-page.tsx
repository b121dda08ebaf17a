import { useNavigate } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { EmptyList, ListFailed } from "../../dashboard/lists/list-states.tsx";
import { PageHead } from "../../dashboard/page-head.tsx";
import { SectionLoading } from "../../dashboard/section-loading.tsx";
import { useHoldArtist, useOwnHolds } from "../../lib/api/promoter/holds.ts";
import { isDay } from "../../lib/format/dates.ts";
import { LinkButton } from "../../ui/button.tsx";
import type { Route } from "./+types/new-hold-page.ts";
import { NewHoldForm } from "./new-hold-form.tsx";

export const meta: Route.MetaFunction = () => [{ title: "Hold nights: Promoter Dashboard" }];

export default function NewHoldPage({ params }: Route.ComponentProps) {
  const artist = useHoldArtist(params.slug);
  // The form may not read them itself: after a failure each mount would request them again.
  const holds = useOwnHolds();
  const navigate = useNavigate();
  const { night = "" } = params;
  return (
    <>
      <PageHead title={artist.data ? `Hold nights with ${artist.data.name}` : "Hold nights"}>
        <p>Choose up to three nights. We keep them for you while you decide.</p>
      </PageHead>
      {artist.error ? (
        <ListFailed what="The artist" query={artist} />
      ) : !artist.data || holds.isPending ? (
        <SectionLoading title="Nights" lines={8} />
      ) : artist.data.hold_days === null ? (
        <EmptyList title="No holds here" text={`${artist.data.name} takes no holds. You can still request a date.`}>
          <LinkButton to={paths.book(params.slug)}>Request a date</LinkButton>
        </EmptyList>
      ) : (
        <NewHoldForm
          artist={artist.data}
          holdDays={artist.data.hold_days}
          ownHolds={holds.data?.items ?? []}
          night={isDay(night) ? night : undefined}
          onPlaced={() => void navigate(paths.promoterArea.holds)}
        />
      )}
    </>
  );
}
