import type { Page } from "@playwright/test";
import type { Market, Role } from "../market.ts";

/** A state of a screen without its own URL: a dialog, a menu, a step of a flow. */
export type Scene = Readonly<{
  name: string;
  as: Role | "visitor";
  show(page: Page, market: Market): Promise<unknown>;
  /** Only the visible part, for elements above a page. */
  firstScreen?: boolean;
}>;
