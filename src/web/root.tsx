import "./ui/tokens.css";
import display from "@fontsource-variable/league-gothic/files/league-gothic-latin-wdth-normal.woff2?url";
import text from "@fontsource-variable/public-sans/files/public-sans-latin-wght-normal.woff2?url";
import { lazy, type ReactNode, use } from "react";
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useRouteError, useRouteLoaderData } from "react-router";
import type { Route } from "./+types/root.ts";
import { apiContext } from "./lib/api/api-context.ts";
import { AfterLoad } from "./lib/browser/after-load.tsx";
import { ScriptNonce } from "./lib/browser/script-nonce.ts";
import { defaultBrand, type Site } from "./lib/site.ts";
import { PageFailed } from "./public/not-found/page-failed.tsx";
import { SiteChrome } from "./public/site-chrome.tsx";
import mark from "./ui/mark.svg?url";

export async function loader({ context, request }: Route.LoaderArgs): Promise<Site> {
  return { ...(await context.get(apiContext).settings.publicSettings()), origin: new URL(request.url).origin };
}

export const shouldRevalidate = () => false;

const Overlays = lazy(() => import("./overlays.tsx"));

/** Marks a signed-in page before the first paint, because the server renders the same page for all visitors. */
const knowSignedIn = `if(/(^|; )signed_in=1/.test(document.cookie))document.documentElement.dataset.signedIn=""`;

/** Names the layers before the first style sheet, because the sheets load in any order. */
const layers = "@layer reset,tokens,base,parts,mantine,page;";

export function Layout({ children }: { children: ReactNode }) {
  const site = useRouteLoaderData<typeof loader>("root");
  const brand = site?.primaryColor ?? defaultBrand;
  const nonce = use(ScriptNonce);
  return (
    <html
      lang="en"
      data-clock-ahead={site?.clockAheadMs || undefined}
      data-time-zone={site?.timeZone}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#f5f2ed" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#141119" media="(prefers-color-scheme: dark)" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href={mark} type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <link rel="preload" as="font" type="font/woff2" href={display} crossOrigin="anonymous" />
        <link rel="preload" as="font" type="font/woff2" href={text} crossOrigin="anonymous" />
        <style>{brand === defaultBrand ? layers : `${layers}:root{--brand:${brand}}`}</style>
        <Meta />
        <Links />
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: knowSignedIn }} />
      </head>
      <body>
        <noscript>
          <p className="note gold">
            You can browse artists without JavaScript. Signing in, booking, payments and the dashboards need it.
          </p>
        </noscript>
        {children}
        <AfterLoad>
          <Overlays />
        </AfterLoad>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary() {
  return (
    <SiteChrome>
      <PageFailed error={useRouteError()} />
    </SiteChrome>
  );
}
