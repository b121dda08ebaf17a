import { expect, test } from "vitest";
import { renderDrawing } from "./pictures.ts";

const square = `<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>`;

test("refuses a drawing with 503 while 30 wait, because uploads wait behind them", async () => {
  const waiting = Array.from({ length: 30 }, () => renderDrawing(square));
  await expect(renderDrawing(square)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 60 });
  expect(await Promise.all(waiting)).toHaveLength(30);
  expect((await renderDrawing(square)).subarray(1, 4).toString()).toBe("PNG");
});
