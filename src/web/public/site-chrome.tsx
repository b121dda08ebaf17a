import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { mailtoOf } from "#platform/pages/mailto.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { useSite } from "../lib/site.ts";
import { Button } from "../ui/button.tsx";
import { Wordmark } from "../ui/wordmark.tsx";

type Props = Readonly<{ children: ReactNode; wall?: boolean; bare?: boolean }>;

/** Header, page and footer outside the dashboards. `wall` extends the page to the footer, `bare` omits the menu. */
export function SiteChrome({ children, wall = false, bare = false }: Props) {
  const site = useSite();
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      {bare ? <BareHeader site={site} /> : <SiteHeader logo={site?.logoUrl} />}
      <main id="main" className="page" tabIndex={-1}>
        {children}
      </main>
      <footer className={wall ? "foot flush" : "foot"}>
        <div className="wrap">
          <span className="name">
            <Wordmark logo={site?.logoUrl} />
          </span>
          <span>Bookings, contracts and payouts for live artists.</span>
          {site ? <a href={mailtoOf(site.supportEmail)}>{site.supportEmail}</a> : null}
          {site?.legalPages.map(({ label, href }) => (
            <a key={label} href={href}>
              {label}
            </a>
          ))}
        </div>
      </footer>
    </>
  );
}

const BareHeader = ({ site }: { site: ReturnType<typeof useSite> }) => (
  <header className="mast">
    <div className="wrap">
      <Link className="name" to={paths.home}>
        <Wordmark logo={site?.logoUrl} />
      </Link>
      {site ? <span className="small quiet">{new URL(site.origin).host}</span> : null}
    </div>
  </header>
);

/** Sticky at the top. Every page contains the signed-in content, and the readable cookie shows it. */
function SiteHeader({ logo }: { logo: string | undefined }) {
  const { pathname } = useLocation();
  return (
    <header className="mast">
      <div className="wrap">
        <Link className="name" to={paths.home}>
          <Wordmark logo={logo} />
        </Link>
        <nav aria-label="Main" className="links">
          <HeaderLinks pathname={pathname} />
        </nav>
        <Link className="btn line sm when-out" to={paths.signIn}>
          Sign In
        </Link>
        <SignOut />
        <PhoneMenu pathname={pathname} />
      </div>
    </header>
  );
}

function PhoneMenu({ pathname }: { pathname: string }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const { key } = useLocation();
  useEffect(() => menu.current?.removeAttribute("open"), [key]);
  useEffect(() => {
    const close = (event: Event) => {
      const open = menu.current?.open ? menu.current : undefined;
      if (!open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== "Escape") return;
        open.querySelector("summary")?.focus();
      } else if (event.target instanceof Node && open.contains(event.target)) return;
      open.open = false;
    };
    document.addEventListener("keydown", close);
    document.addEventListener("pointerdown", close);
    return () => {
      document.removeEventListener("keydown", close);
      document.removeEventListener("pointerdown", close);
    };
  }, []);
  return (
    <details className="menu" ref={menu}>
      <summary aria-label="Menu">
        <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden>
          <path d="M3 7h18M3 12h18M3 17h18" stroke="currentColor" strokeWidth="2" />
        </svg>
      </summary>
      <nav aria-label="Menu">
        <HeaderLinks pathname={pathname} />
      </nav>
    </details>
  );
}

function HeaderLinks({ pathname }: { pathname: string }) {
  const browsing = pathname.startsWith(paths.artist("")) || pathname.startsWith(paths.book(""));
  return (
    <>
      <Link to={paths.browse()} aria-current={browsing ? "true" : undefined}>
        Browse Artists
      </Link>
      <Link
        className="when-in when-through"
        to={paths.dashboard}
        aria-current={pathname === paths.dashboard ? "page" : undefined}
      >
        Dashboard
      </Link>
      <Link to={paths.contact} aria-current={pathname === paths.contact ? "page" : undefined}>
        Contact
      </Link>
    </>
  );
}

function SignOut() {
  const navigate = useNavigate();
  const leave = async () => {
    const { signOut, startSession } = await import("../lib/auth/session.ts");
    await startSession();
    await signOut();
    await navigate(paths.home);
  };
  return (
    <Button tone="line" size="sm" className="when-in" onClick={() => void leave()}>
      Sign Out
    </Button>
  );
}
