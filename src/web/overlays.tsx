import { PlayerBar } from "./player/player-bar.tsx";
import { Toaster } from "./ui/toaster.tsx";

export default function Overlays() {
  return (
    <>
      <PlayerBar />
      <Toaster />
    </>
  );
}
