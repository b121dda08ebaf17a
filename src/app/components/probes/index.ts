import type { Component } from "../component.ts";
import type { ComponentName } from "../rules.ts";
import { database } from "./database.ts";
import { files } from "./files.ts";
import { email, sms } from "./messages.ts";
import { calendars, cards, identity, signing, singleSignOn } from "./providers.ts";
import { replica } from "./replica.ts";

export const components: Readonly<Record<ComponentName, Component>> = {
  database,
  replica,
  files,
  email,
  sms,
  cards,
  signing,
  calendars,
  identity,
  single_sign_on: singleSignOn,
};
