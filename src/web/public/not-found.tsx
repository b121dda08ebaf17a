import { Link } from "react-router";
import { paths } from "../paths.ts";
import { buttonClass } from "../ui/button.tsx";
import { EmptyStage } from "./empty-stage.tsx";

/** Nothing is at this address. */
export function NotFound() {
  return (
    <EmptyStage title="404" text="Oops! Page not found">
      <Link className={buttonClass({ size: "big" })} to={paths.home}>
        Return to Home
      </Link>
    </EmptyStage>
  );
}
