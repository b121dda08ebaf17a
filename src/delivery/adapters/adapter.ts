export type OutgoingMessage = {
  /** The message's id. It is the same for every attempt, and receivers can recognize a repetition. */
  id: string;
  to: string;
  from: string;
  replyTo: string;
  subject: string;
  text: string;
  html: string | null;
  attachment: Attachment | null;
};

/** `contentType` of a calendar file names its METHOD, which mail clients require. */
export type Attachment = Readonly<{ name: string; bytes: Uint8Array; contentType: string }>;

/** Sends one message and returns the provider's reference, if there is one. Throws Undeliverable if a retry cannot succeed. */
export type DeliveryAdapter = {
  name: string;
  send(message: OutgoingMessage): Promise<string | null>;
  /** Signs in to the service without sending. Returns the server's greeting for the admin. Throws DeliveryRefused or the network error. */
  test(): Promise<string>;
  close(): void;
};

export class Undeliverable extends Error {}

/** Thrown if the service rejects this installation's credentials. `response` is what it returned. */
export class DeliveryRefused extends Error {
  readonly response: string;
  constructor(message: string, response: string) {
    super(message);
    this.response = response;
  }
}
