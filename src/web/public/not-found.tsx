import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { buttonClass } from "../ui/button.tsx";
import { MissingPage } from "./missing-page.tsx";

export function NotFound() {
  return (
    <MissingPage title="404" text="Oops! Page not found">
      <Link className={buttonClass({ size: "big" })} to={paths.home}>
        Return to Home
      </Link>
    </MissingPage>
  );
}
