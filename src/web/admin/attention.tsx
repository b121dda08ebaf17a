import { Link } from "react-router";
import { moneyCaseKinds } from "#activity/rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { capitalized } from "#platform/text.rules.ts";
import { describeAnswerTime } from "../booking/status/deadline-text.ts";
import { useNow } from "../booking/use-now.ts";
import { SectionFailed } from "../dashboard/section-failed.tsx";
import { useAttention } from "../lib/api/overviews.ts";
import { formatMoment } from "../lib/format/dates.ts";
import overview from "../dashboard/overview.module.css";

/** A dispute of a payment that was not retained has no booking. */
const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const bookingKinds = ["date", "no_show", "objection"];
const listedKinds: readonly string[] = moneyCaseKinds;

type Waiting = Readonly<{ kind: string; example: string | null; count: number }>;

function pageOf({ kind, example, count }: Waiting): string {
  if (example && isId.test(example)) {
    if (bookingKinds.includes(kind) || (count === 1 && listedKinds.includes(kind))) return paths.admin.booking(example);
    if (["contract", "contract_copy"].includes(kind)) return paths.admin.contract(example);
  }
  if (kind === "provider_event") return paths.admin.settings("integrations");
  if (kind === "same_name" && example) return paths.admin.artistsNamed(example);
  if (kind === "sender") return paths.admin.settings("notifications");
  if (["backup", "file"].includes(kind)) return paths.admin.components;
  if ([...listedKinds, "refund", "unreconciled", "document"].includes(kind)) return paths.admin.payments;
  return paths.admin.logsOf(kind === "email" ? "notification" : "system");
}

/** Renders above the overview's figures. Shows a failed request, because an empty section would mean that nothing requires attention. */
export function AttentionNote() {
  const query = useAttention();
  const now = useNow(60_000);
  if (query.error && !query.isFetching)
    return <SectionFailed className={overview.above} what="The cases to decide" query={query} />;
  if (!query.data || query.data.items.length === 0) return null;
  return (
    <section className={`${overview.section} ${overview.urgent} ${overview.above}`} aria-labelledby="decisions">
      <h2 id="decisions">Needs a decision</h2>
      <ul className={overview.lines}>
        {query.data.items.map(({ kind, count, message, since, due, example }) => (
          <li key={kind}>
            <span>
              <strong>
                <Link className={overview.quietLink} to={pageOf({ kind, example, count })}>
                  {capitalized(message)}
                </Link>
              </strong>
              <small>
                {count === 1 ? "1 case" : `${count} cases`}
                {since ? `, the oldest since ${formatMoment(since, { year: true })}` : ""}
              </small>
            </span>
            {due ? <strong className="small">{capitalized(describeAnswerTime(due, now))}</strong> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
