import type { ConnectionField } from "./rules.ts";

/** Why a server could not be used. The message is for the person, beside the field that it is about. */
export class ConnectionFailure extends Error {
  readonly field: ConnectionField;

  constructor(field: ConnectionField, message: string, more: ErrorOptions = {}) {
    super(message, more);
    this.name = "ConnectionFailure";
    this.field = field;
  }
}
