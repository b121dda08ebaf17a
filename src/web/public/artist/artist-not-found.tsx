import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { buttonClass } from "../../ui/button.tsx";
import { MissingPage } from "../missing-page.tsx";

/** Shown for an unknown artist and for a closed profile. */
export function ArtistNotFound() {
  return (
    <MissingPage
      title="Artist not found"
      text="The profile may have been closed, or the address has a typing error."
      titleIsText
    >
      <Link className={buttonClass({ size: "big" })} to={paths.browse()}>
        Browse Artists
      </Link>
    </MissingPage>
  );
}
