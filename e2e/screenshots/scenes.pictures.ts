/**
 * Screenshots of states that have no URL (scenes/): dialogs, menus, the steps of signing and paying. SCREENSHOTS_SERVER
 * names a running server. ONLY filters the scenes by name.
 */

import { test } from "@playwright/test";
import { startServer } from "../support/server.ts";
import { laySheets, openAlbum, photograph } from "./camera.ts";
import { arrive, openMarket } from "./market.ts";
import { areas } from "./scenes/index.ts";

for (const [area, scenes] of Object.entries(areas))
  test(`scenes ${area}`, async ({ browser, playwright }) => {
    const running = process.env["SCREENSHOTS_SERVER"];
    const server = running ? undefined : await startServer();
    const url = server?.url ?? running ?? "";
    const api = await playwright.request.newContext({ baseURL: url });
    const failed: string[] = [];
    try {
      const market = await openMarket(browser, api, url);
      const album = openAlbum(`scene-${area}`);
      const only = new RegExp(process.env["ONLY"] ?? "");
      for (const { name, as, show, firstScreen } of scenes.filter((one) => only.test(one.name))) {
        const [context, page] = await arrive(market, as);
        try {
          await show(page, market);
          await photograph(page, album, name, { whole: firstScreen !== true });
        } catch (error) {
          failed.push(`${name}: ${String(error)}`);
        }
        await context.close();
      }
      const page = await browser.newPage();
      await laySheets(page, album);
      await page.close();
    } finally {
      await api.dispose();
      await server?.close();
    }
    // The other scenes are still taken if one of them fails.
    if (failed.length > 0) throw new Error(failed.join("\n\n"));
  });
