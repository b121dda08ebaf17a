import type { Tx } from "#platform/db/index.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { openSigningWindow } from "../issue.ts";
import { extendedEnd, signingWindow } from "../rules/contract.rules.ts";
import { changeContract, lockContract } from "../store.ts";

/** Updates the window of a sent contract. Returns what was due: `opened`, `reminded`, `extended`, `expired` (for the caller to apply), or null. */
export async function changeSigningWindow(
  tx: Tx,
  bookingId: string,
  { startsAt, now }: { startsAt: Date; now: Date },
): Promise<"opened" | "reminded" | "extended" | "expired" | null> {
  const contract = await lockContract(tx, bookingId);
  if (contract?.signed_status !== "sent") return null;
  const from = contract.reminders_from ?? contract.sent_at ?? now;
  if (contract.expires_at === null) {
    await openSigningWindow(tx, contract, startsAt, now);
    await changeContract(tx, contract, { reminders_from: now, reminders: 0 });
    return "opened";
  }
  if (contract.expires_at <= now) {
    const later = extendedEnd(contract, startsAt);
    if (later === null || later <= now) return "expired";
    await changeContract(tx, contract, { expires_at: later, extended_at: now });
    return "extended";
  }
  const due = signingWindow.reminderHours.filter((hours) => from.getTime() + hours * hourMs <= now.getTime()).length;
  if (due <= contract.reminders) return null;
  await changeContract(tx, contract, { reminders: due });
  return "reminded";
}
