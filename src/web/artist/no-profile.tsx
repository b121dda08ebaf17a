import { paths } from "#platform/site-paths.rules.ts";
import listStyles from "../dashboard/lists/list.module.css";
import { LinkButton } from "../ui/button.tsx";
import { EmptyState } from "../ui/states.tsx";

export const NoProfile = ({ title = "No artist profile yet", text }: Readonly<{ title?: string; text: string }>) => (
  <EmptyState heading="h2" title={title} text={text}>
    <LinkButton to={paths.artistArea.profile}>Open My Profile</LinkButton>
  </EmptyState>
);

export const NoProfileSheet = ({ text }: Readonly<{ text: string }>) => (
  <section className={listStyles.sheet}>
    <NoProfile text={text} />
  </section>
);
