import { sql } from "kysely";
import { rowsOf, type Reader } from "#platform/db/index.ts";
import { policyOfArtist } from "#settings/policy-names.rules.ts";
import { withDefaults } from "#settings/rules.ts";
import type { ComparedArtist } from "../artist.api.ts";
import { cardColumns, type CardRow, toArtistCard } from "../card.views.ts";
import type { AvailabilityRow } from "../nights/night.rules.ts";
import { nightAvailability, type NightQuestion, toNightResponse } from "../nights/night.views.ts";
import { maxCompared } from "./compare.rules.ts";

type Row = CardRow &
  Partial<AvailabilityRow> &
  Pick<ComparedArtist, "years_experience" | "equipment" | "requires_deposit"> & {
    policy_choice: string | null;
    platform_settings: unknown;
  };

/** Returns the first four of these artists that are public, in this order. */
export async function compareArtists(
  reader: Reader,
  slugs: readonly string[],
  { question, now }: Readonly<{ question: NightQuestion | undefined; now: Date }>,
): Promise<ComparedArtist[]> {
  const availability = question && nightAvailability(question, now);
  const rows = await rowsOf<Row>(reader)`
    select ${cardColumns} ${availability?.columns ?? sql``}, a.years_experience, a.equipment,
      own.value->'requireDeposit' is distinct from 'false'::jsonb as requires_deposit,
      own.value->>'policyName' as policy_choice, (select p.value from settings p where p.scope = 'platform') as platform_settings
    from artists a left join settings own on own.scope = 'artist' and own.owner_id = a.id ${availability?.join ?? sql``}
    where a.slug in (${sql.join(slugs)}) and a.is_active and a.is_public`;
  const known = slugs.flatMap((slug) => rows.filter((row) => row.slug === slug));
  return known.slice(0, maxCompared).map((row) => toCompared(row, question));
}

function toCompared(row: Row, question: NightQuestion | undefined): ComparedArtist {
  const { policy_choice, platform_settings, ...shown } = row;
  const platform = withDefaults("platform", platform_settings);
  return {
    ...shown,
    ...toArtistCard(shown),
    cancellation_policy: policyOfArtist(platform, withDefaults("artist", { policyName: policy_choice }).policyName),
    ...(question && row.night_state !== undefined
      ? { night: toNightResponse(row as Row & AvailabilityRow, question), miles: row.miles ?? null }
      : { miles: null }),
  };
}
