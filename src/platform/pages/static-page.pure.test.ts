import Fastify from "fastify";
import { expect, test } from "vitest";
import { escapeHtml } from "./markup.ts";
import { staticPage, staticPagesPlugin } from "./static-page.ts";

test("escapes text inside markup and attributes", () => {
  expect(escapeHtml(`<img src=x onerror="alert('1')">&amp;`)).toBe(
    "&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;",
  );
});

test("escapes title and badge of a page", () => {
  const html = staticPage({ title: "</title><script>", badge: "<b>", main: "<p>kept</p>" });
  expect(html).not.toContain("<script>");
  expect(html).not.toContain("<b>");
  expect(html).toContain("<p>kept</p>");
});

test("uses the site's stylesheet, with every font at an address that is served", async () => {
  const app = Fastify();
  await app.register(staticPagesPlugin());
  const styles = (await app.inject("/static/site.css")).body;
  expect(styles).toContain("--brand: #6366f1");
  expect(styles).not.toContain("@fontsource");
  const addresses = Array.from(styles.matchAll(/url\("([^"]+)"\)/g), ([, address]) => address ?? "");
  expect(addresses).toHaveLength(2);
  for (const address of addresses)
    expect((await app.inject(address)).headers["content-type"], address).toBe("font/woff2");
  for (const wrong of ["/static/x.woff2", "/static/..%2f..%2fpackage.json", "/static/constructor"])
    expect((await app.inject(wrong)).statusCode, wrong).toBe(404);
  await app.close();
});
