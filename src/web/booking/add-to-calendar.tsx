import { attempt } from "../lib/attempt.ts";
import { saveFile } from "../lib/browser/save-file.ts";
import { Button } from "../ui/button.tsx";

type Props = Readonly<{
  id: string;
  size?: "sm" | "big";
  /** The file then removes the event from calendars that have it. */
  canceled: boolean;
}>;

/** Saves the show as a calendar file. A plain link would not send the viewer's token. */
export function AddToCalendar({ id, size, canceled }: Props) {
  const save = () =>
    attempt(async () => {
      const { browserApi } = await import("../lib/api/browser-api.ts");
      saveFile(await browserApi.bookings.calendar({ id }));
    });
  return (
    <Button tone="line" size={size} onClick={save}>
      {canceled ? "Remove from calendar" : "Add to calendar"}
    </Button>
  );
}
