import { useEffect } from "react";

/** Names the browser's tab after what the page shows, once that is known. The next page sets its own title. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
