import { lazy, Suspense, useEffect } from "react";
import { watchLostFocus } from "./lib/browser/lost-focus.ts";
import { PageChange } from "./lib/browser/page-change.tsx";
import { firstPlay } from "./player/first-play.ts";
import { Toaster } from "./ui/toaster.tsx";
import "./ui/forced-colors.css";

const PlayerBar = lazy(async () => ({ default: (await import("./player/player-bar.tsx")).PlayerBar }));

export default function Overlays() {
  const hasPlayed = firstPlay.useValue((hasPlayed) => hasPlayed);
  useEffect(watchLostFocus, []);
  return (
    <>
      <Suspense>{hasPlayed ? <PlayerBar /> : null}</Suspense>
      <Toaster />
      <PageChange />
    </>
  );
}
