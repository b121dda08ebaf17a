export type Call = Readonly<{
  body: Record<string, unknown>;
  query: Record<string, string>;
  bearer: string | undefined;
  factorId: string;
}>;
type ResponseBody = Record<string, unknown> | undefined;
export type Endpoint = (call: Call) => ResponseBody | Promise<ResponseBody>;

/** The URL and the clock of the double. */
export type Place = { origin: string; now: () => Date; autoconfirm: boolean };

export type Factor = { id: string; name: string; secret: string; status: "verified" | "unverified"; at: string };
export type Person = {
  id: string;
  email: string;
  phone: string;
  password: string | null;
  confirmedAt: string | null;
  phoneConfirmedAt: string | null;
  newEmail: string;
  newPhone: string;
  agreed: Set<string>;
  metadata: Record<string, unknown>;
  factors: Factor[];
  createdAt: string;
  lastSignInAt: string | null;
};

/** An error in the service's two shapes: since API version 2024-01-01 `code` is the name, before it was the status. */
export class GoTrueError extends Error {
  readonly status: number;
  private readonly name_: string;
  private readonly more: object;
  constructor(status: number, name: string, message: string, more: object = {}) {
    super(message);
    this.status = status;
    this.name_ = name;
    this.more = more;
  }
  asBody(version: string): object {
    return version === "2024-01-01"
      ? { code: this.name_, message: this.message, ...this.more }
      : { code: this.status, error_code: this.name_, msg: this.message, ...this.more };
  }
}

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
