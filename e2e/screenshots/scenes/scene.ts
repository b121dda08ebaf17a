import type { Page } from "@playwright/test";
import type { Market, Role } from "../market.ts";

/** A state of a screen that its address alone does not bring about: a dialog, a menu, a step of a flow. */
export type Scene = Readonly<{
  name: string;
  as: Role | "visitor";
  /** Brings the page to the state. */
  show(page: Page, market: Market): Promise<unknown>;
  /** Only what lies on the screen, for what lies above a page. */
  firstScreen?: boolean;
}>;
