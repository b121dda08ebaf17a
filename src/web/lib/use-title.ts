import { useEffect } from "react";

/** Sets the tab's title. The next page sets its own. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
