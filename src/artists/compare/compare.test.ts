import { expect, test } from "vitest";
import { testApp } from "#test/test-app.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import type { ComparedArtist } from "../api.ts";

test("returns public artists in the order of the address, with the availability of the night", async () => {
  await using app = await testApp();
  const near = await app.make.artist({ name: "Near", location: "Austin, Texas", baseRate: 90_000 });
  const far = await app.make.artist({ name: "Far", location: "Dallas, Texas" });
  const closed = await app.make.artist({ name: "Closed", isActive: false });
  const compare = async (query: string) => {
    const response = await app.request(`/api/artists/compare?${query}`);
    return { status: response.status, items: ((await response.json()) as { items: ComparedArtist[] }).items };
  };
  const slugs = [far, near, closed].map(({ slug }) => slug).join(",");
  const day = new Date(app.clock.now().getTime() + 60 * dayMs).toISOString().slice(0, 10);

  const { items } = await compare(`artists=${slugs},nobody&night=${day}&town=Austin`);
  expect(items.map(({ name, miles }) => [name, miles && miles > 100])).toEqual([
    ["Far", true],
    ["Near", 0],
  ]);
  expect(items[1]).toMatchObject({ base_rate: 90_000, requires_deposit: true, night: { state: "free" } });
  const [without] = (await compare(`artists=${near.slug}`)).items;
  expect([without?.night, without?.miles]).toEqual([undefined, null]);
  expect((await compare("artists=")).items).toEqual([]);
  expect((await compare("artists=a&night=tomorrow")).status).toBe(400);
});
