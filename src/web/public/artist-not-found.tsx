import { Link } from "react-router";
import { paths } from "../paths.ts";
import { buttonClass } from "../ui/button.tsx";
import shared from "./programme.module.css";

/** No such artist, or one whose profile is closed: both look the same. */
export function ArtistNotFound() {
  return (
    <div className={shared.mid}>
      <h1>Artist not found</h1>
      <p className={shared.lead}>The profile may have been closed, or the address has a typing error.</p>
      <div className={shared.acts}>
        <Link className={buttonClass()} to={paths.browse()}>
          Browse Artists
        </Link>
      </div>
    </div>
  );
}
