import { Link } from "react-router";
import { paths } from "../../paths.ts";
import { buttonClass } from "../../ui/button.tsx";
import { EmptyStage } from "../empty-stage.tsx";

/** No such artist, or one whose profile is closed: both look the same. */
export function ArtistNotFound() {
  return (
    <EmptyStage
      title="Artist not found"
      text="The profile may have been closed, or the address has a typing error."
      words
    >
      <Link className={buttonClass({ size: "big" })} to={paths.browse()}>
        Browse Artists
      </Link>
    </EmptyStage>
  );
}
