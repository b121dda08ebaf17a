import type { browserApi } from "./api/browser-api.ts";
import { errorToast } from "./attempt.ts";
import { goToAddress } from "./browser/leave-site.ts";

/** Opens a file in a new tab. `makeLink` fetches its address. An error is shown in a toast. */
export async function openFile(makeLink: (api: typeof browserApi) => Promise<{ url: string }>): Promise<void> {
  // Opened within the click, because popup blockers stop later ones.
  const tab = window.open("", "_blank");
  try {
    const { browserApi } = await import("./api/browser-api.ts");
    const { url } = await makeLink(browserApi);
    if (tab) tab.location.href = url;
    else goToAddress(url);
  } catch (error) {
    tab?.close();
    errorToast()(error);
  }
}
