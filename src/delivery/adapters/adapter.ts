export type OutgoingMessage = {
  /** The message's id; the same at every try, so that receivers can recognise a repetition. */
  id: string;
  to: string;
  from: string;
  replyTo: string;
  subject: string;
  text: string;
  html: string | null;
  attachment: Attachment | null;
};

/** `contentType` of a calendar file names its METHOD, as mail programs want it. */
export type Attachment = Readonly<{ name: string; bytes: Uint8Array; contentType: string }>;

/** Sends one message and returns the provider's reference, if it gives one. Throws Undeliverable when trying again is pointless. */
export type DeliveryAdapter = {
  name: string;
  send(message: OutgoingMessage): Promise<string | null>;
  /** Signs in to the service without sending. Returns what answered, for the admin; throws DeliveryRefused or what the network says. */
  test(): Promise<string>;
  close(): void;
};

export class Undeliverable extends Error {}

/** The service does not let this installation in. `answer` is what it said. */
export class DeliveryRefused extends Error {
  readonly answer: string;
  constructor(message: string, answer: string) {
    super(message);
    this.answer = answer;
  }
}
