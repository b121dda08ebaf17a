import { paths } from "#platform/site-paths.rules.ts";
import { LinkButton } from "../ui/button.tsx";
import { EmptyState } from "../ui/states/states.tsx";
import listStyles from "../dashboard/lists/list.module.css";
import styles from "./no-profile.module.css";

type Props = Readonly<{ title?: string; text: string; hasSteps?: boolean }>;

const steps = [
  ["Save your profile", "Name, genre, location and rate. Your page appears in the listing immediately."],
  ["Add pictures and samples", "Promoters listen before they book."],
  ["Connect a payment account", "If promoters pay by card here, we send your earnings there after each show."],
] as const;

export const NoProfile = ({ title = "No artist profile yet", text, hasSteps = false }: Props) => (
  <EmptyState heading="h2" title={title} text={text}>
    <LinkButton to={paths.artistArea.profile}>Open My Profile</LinkButton>
    {hasSteps ? (
      <ol className={styles.steps}>
        {steps.map(([step, why]) => (
          <li key={step}>
            <strong>{step}</strong>
            <p className="small quiet">{why}</p>
          </li>
        ))}
      </ol>
    ) : null}
  </EmptyState>
);

export const NoProfileSheet = ({ text }: Readonly<{ text: string }>) => (
  <section className={listStyles.sheet}>
    <NoProfile text={text} />
  </section>
);
