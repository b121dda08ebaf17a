import type { ConnectionField } from "./rules.ts";

/** Why a server is unusable. The message is for the user, beside its field. */
export class ConnectionFailure extends Error {
  readonly field: ConnectionField;

  constructor(field: ConnectionField, message: string, more: ErrorOptions = {}) {
    super(message, more);
    this.name = "ConnectionFailure";
    this.field = field;
  }
}
