/** /sign/{key}: the exact contract, and one party's signature. Opened by an emailed link, an account, or a guest's own browser. */

import type { CSSProperties } from "react";
import { data } from "react-router";
import { posterUrl } from "#artists/rules.ts";
import type { EndedLink } from "#bookings/rules/ended-link.rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { apiContext, asReceived } from "../../lib/api/api-context.ts";
import { mayBeSignedIn } from "../../lib/auth/session.ts";
import { usePageTime } from "../../lib/browser/use-page-time.ts";
import type { PageTime } from "../../lib/page-time.ts";
import { renderedTime } from "../../lib/rendered-time.ts";
import { privateHeaders, unlistedMeta } from "../../lib/unlisted-meta.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { ErrorState } from "../../ui/states/states.tsx";
import { MissingPage } from "../not-found/missing-page.tsx";
import type { Route } from "./+types/sign-page.ts";
import { ContractPage, BookingLink } from "./contract-page.tsx";
import { waitingText } from "./decline.tsx";
import showGoesOn from "./show-goes-on.svg?url";
import { type SigningState, signingStateAfter, useSigning } from "./use-signing.ts";
import shared from "../programme.module.css";
import styles from "./contract.module.css";

export const meta = () => unlistedMeta("Your contract", true);

type Rendered = Readonly<{ state: SigningState; time?: PageTime }>;
const loading: Rendered = { state: { phase: "loading" } };

/** Renders the contract of a link, so that it can be read before the scripts have loaded. The browser then opens it, which is recorded. */
export async function loader({ params: { key }, request, context }: Route.LoaderArgs) {
  try {
    const contract = await context.get(apiContext).bookings.contract.openContract({ key, record: false });
    if (!contract.document) return data(loading);
    const open: SigningState = { phase: "open", contract: asReceived(contract) };
    return data<Rendered>({ state: open, time: await renderedTime(context, contract.time_zone) });
  } catch (error) {
    const { status = 500 } = apiErrorOf(error);
    if (![400, 404, 410, 429].includes(status)) throw error;
    // The browser may have access by its session.
    const isVisitor = !mayBeSignedIn(request.headers.get("cookie") ?? "");
    return status !== 429 && isVisitor
      ? data<Rendered>({ state: signingStateAfter(error) }, { status: status === 410 ? 410 : 404 })
      : data(loading);
  }
}

/** In the browser, the page itself loads the contract. */
export const clientLoader = (): Rendered => loading;

export const headers = privateHeaders;

/** The default poster, of a canceled show, does not fit a signed contract. */
const isSigned = (ended: EndedLink | undefined) => ended?.end === "signed" || ended?.end === "attested";

export default function SignPage({ params: { key }, loaderData }: Route.ComponentProps) {
  usePageTime(loaderData.time);
  const { state, retry, actionsOf } = useSigning(key, loaderData.state);
  switch (state.phase) {
    case "loading":
      return <ContractLoading />;
    case "closed":
      return (
        <MissingPage
          titleIsText
          title={state.title}
          {...(isSigned(state.ended) ? { poster: showGoesOn } : {})}
          text={`${state.message}${state.ended?.end === "signed" ? " You can read the contract on the page of the booking." : ""}`}
        >
          <div className={shared.actions}>
            {state.ended ? (
              <BookingLink {...state.ended} />
            ) : (
              <>
                <LinkButton tone="line" className="when-in" to={paths.dashboard}>
                  To your bookings
                </LinkButton>
                <LinkButton className="when-out" to={paths.signIn}>
                  Sign In
                </LinkButton>
              </>
            )}
            {state.ended?.end === "canceled" && state.ended.side === "promoter" ? (
              <LinkButton tone="line" to={paths.home}>
                Browse Artists
              </LinkButton>
            ) : null}
            {state.ended?.end === "signed" ? null : (
              <LinkButton tone="line" to={paths.contact}>
                Contact us
              </LinkButton>
            )}
          </div>
        </MissingPage>
      );
    case "failed":
      return (
        <div className="wrap">
          <ErrorState
            heading="h1"
            title="The contract could not be loaded"
            text={`${state.message} Nothing was changed.`}
            reference={state.reference}
            onRetry={retry}
          />
        </div>
      );
    case "declined":
      return (
        <MissingPage
          titleIsText
          title="You declined the contract"
          text={`The booking has ended, and the date is free again.${
            state.refundCents > 0
              ? ` ${formatMoney(state.refundCents, state.contract.currency)} is refunded to the card it was paid with.`
              : ""
          }${waitingText(state.contract)}`}
          poster={posterUrl(state.contract.artist)}
        >
          <div className={shared.actions}>
            <BookingLink {...state.contract} />
            {state.contract.side === "promoter" ? (
              <LinkButton tone="line" to={paths.artist(state.contract.artist.slug)}>
                View other dates
              </LinkButton>
            ) : null}
          </div>
        </MissingPage>
      );
    case "open":
      return <ContractPage contract={state.contract} actions={actionsOf(state.contract)} />;
  }
}

/** The colors of the artist's poster are not known yet. */
const inks = { "--ground": "var(--sheet)", "--lettering": "var(--ink)" } as CSSProperties;

const ContractLoading = () => (
  <div aria-busy>
    <header className={styles.head} style={inks}>
      <div className="wrap">
        <div className={styles.title}>
          <h1>Your contract</h1>
          <p role="status">Loading the contract</p>
        </div>
      </div>
    </header>
    <div className="wrap" aria-hidden>
      <div className={styles.layout}>
        <span />
        <Skeleton height="44rem" />
      </div>
    </div>
  </div>
);
