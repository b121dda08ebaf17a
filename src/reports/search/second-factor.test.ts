import { expect, test } from "vitest";
import { testApp } from "#test/test-app.ts";

test("refuses an admin without a second factor outside demo mode, but no other user", async () => {
  await using app = await testApp({ env: { DEMO: "0" } });
  const promoter = await app.make.user({ role: "promoter" });
  const headers = await app.signIn(promoter);
  expect((await app.request("/api/search?q=elec", { headers })).status).toBe(200);
  await app.database.db.updateTable("profiles").set({ role: "admin" }).where("user_id", "=", promoter.id).execute();
  const response = await app.request("/api/search?q=elec", { headers });
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ code: "second_factor_required" });
});
