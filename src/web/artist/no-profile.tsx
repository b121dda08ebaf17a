import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { LinkButton } from "../ui/button.tsx";
import { EmptyState } from "../ui/states/states.tsx";
import listStyles from "../dashboard/lists/list.module.css";
import styles from "./no-profile.module.css";

type Props = Readonly<{ title?: string; text: string; hasSteps?: boolean }>;

const steps = {
  profile: {
    title: "Save your profile",
    why: "Name, genre, location and rate. Your page appears in the listing immediately.",
  },
  media: { title: "Add pictures and samples", why: "Promoters listen before they book.", page: paths.artistArea.media },
  payment_account: {
    title: "Connect a payment account",
    why: "If promoters pay by card here, we send your earnings there after each show.",
    page: paths.artistArea.payouts,
  },
};
type Step = keyof typeof steps;

/** Lists what a new artist does. `isLinked`: the pages can be used, because the profile is saved. */
export const StepsToBooking = ({
  names,
  isLinked = false,
}: Readonly<{ names: readonly Step[]; isLinked?: boolean }>) => (
  <ol className={styles.steps}>
    {names.map((name) => {
      const { title, why, page } = { page: undefined, ...steps[name] };
      return (
        <li key={name}>
          <strong>{isLinked && page ? <Link to={page}>{title}</Link> : title}</strong>
          <p className="small quiet">{why}</p>
        </li>
      );
    })}
  </ol>
);

export const NoProfile = ({ title = "No artist profile yet", text, hasSteps = false }: Props) => (
  <EmptyState heading="h2" title={title} text={text}>
    <LinkButton to={paths.artistArea.profile}>Open My Profile</LinkButton>
    {hasSteps ? <StepsToBooking names={["profile", "media", "payment_account"]} /> : null}
  </EmptyState>
);

export const NoProfileSheet = ({ text }: Readonly<{ text: string }>) => (
  <section className={listStyles.sheet}>
    <NoProfile text={text} />
  </section>
);
