import { paths } from "#platform/site-paths.rules.ts";
import { LinkButton } from "../../ui/button.tsx";
import { MissingPage } from "../not-found/missing-page.tsx";

export function ArtistNotFound() {
  return (
    <MissingPage
      title="Artist not found"
      text="The profile may have been closed, or the address is mistyped."
      titleIsText
    >
      <LinkButton size="big" to={paths.browse()}>
        Browse Artists
      </LinkButton>
    </MissingPage>
  );
}
