import noShow from "./no-show.svg?url";
import { Link } from "react-router";
import { paths } from "../paths.ts";
import { buttonClass } from "../ui/button.tsx";
import styles from "./not-found.module.css";

/** The stage is empty: nothing is at this address. */
export function NotFound() {
  return (
    <div className={styles.wall}>
      <div className={`wrap ${styles.lost}`}>
        <div>
          <h1>404</h1>
          <p>Oops! Page not found</p>
          <Link className={buttonClass({ size: "big" })} to={paths.home}>
            Return to Home
          </Link>
        </div>
        <span className="poster" aria-hidden>
          <img src={noShow} width={600} height={800} alt="" />
        </span>
      </div>
    </div>
  );
}
