import { PlayerBar } from "./player/player-bar.tsx";
import { Toaster } from "./ui/toaster.tsx";

/** What lies over every page: the player and the toasts. */
export default function Overlays() {
  return (
    <>
      <PlayerBar />
      <Toaster />
    </>
  );
}
