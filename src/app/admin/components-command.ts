import type { ComponentStatus } from "../components/rules.ts";
import { testComponent } from "../components/test-component.ts";
import { listSetUp, reportComponents } from "../components/views.ts";
import type { Services } from "../services.ts";
import type { Print } from "./backup-report.ts";

const labels: Readonly<Record<ComponentStatus, string>> = {
  works: "works",
  slow: "slow",
  failing: "FAILING",
  not_set_up: "not set up",
  untested: "not tested",
};

export async function componentsCommand(services: Services, say: Print): Promise<boolean> {
  // One after the other, because parallel tests slow each other down.
  for (const name of await listSetUp(services)) await testComponent(services, name);
  const items = await reportComponents(services);
  const rows = items.map((item) => [
    item.label,
    item.status === "not_set_up" ? "none" : item.mode,
    labels[item.status],
    item.product,
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const [at, { message, details, queue, status, last_success_at: lastSuccess }] of items.entries()) {
    const cells = rows[at]?.map((cell, column) => cell.padEnd(widths[column] ?? 0)) ?? [];
    await say(
      `${cells.join("  ")}  ${message}${details ? ` (${details})` : ""}${queue?.waiting ? ` ${queue.waiting} waiting since ${queue.oldest_at?.toISOString()}.` : ""}${status === "failing" && lastSuccess ? ` It last worked at ${lastSuccess.toISOString()}.` : ""}\n`,
    );
  }
  return items.every(({ status }) => status !== "failing");
}
