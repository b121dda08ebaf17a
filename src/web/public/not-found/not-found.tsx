import { paths } from "#platform/site-paths.rules.ts";
import { LinkButton } from "../../ui/button.tsx";
import { MissingPage } from "./missing-page.tsx";

export function NotFound() {
  return (
    <MissingPage title="404" text="Oops! Page not found">
      <LinkButton size="big" to={paths.home}>
        Return to Home
      </LinkButton>
    </MissingPage>
  );
}
