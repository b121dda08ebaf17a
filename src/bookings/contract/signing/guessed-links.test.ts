import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { sentContract, signingCalls } from "#test/harness/contracts.ts";
import { testApp } from "#test/test-app.ts";

const guesses = process.env["TEST_DEEP"] === "1" ? 10_000 : 2_000;

const app = closeAfterFile(await testApp({ env: { RATE_LIMITS: "off" } }));

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Returns a random token, a real one changed by one character, a cut or reversed one, or the id of a contract or booking. */
function guess(turn: number, real: readonly string[], ids: readonly string[]): string {
  const token = real[turn % real.length] ?? "";
  switch (turn % 5) {
    case 0:
      return randomBytes(24).toString("base64url");
    case 1: {
      const at = turn % token.length;
      const others = alphabet.split("").filter((one) => one !== token[at]);
      return token.slice(0, at) + (others[turn % others.length] ?? "") + token.slice(at + 1);
    }
    case 2:
      return turn % 2 === 0 ? token.slice(0, -1) : `${token}A`;
    case 3:
      return turn % 2 === 0 ? crypto.randomUUID() : (ids[turn % ids.length] ?? "");
    default:
      return token.split("").toReversed().join("");
  }
}

test(
  `${guesses} guessed links return the same not found (404) and record no evidence`,
  { timeout: 600_000 },
  async () => {
    const sent = [await sentContract(app), await sentContract(app), await sentContract(app)];
    const real = sent.flatMap(({ promoter, artist_token }) => [promoter, artist_token]);
    const guest = signingCalls(app);
    const { body: page } = await guest.open(real[0] ?? "");
    const evidence = () => app.database.db.selectFrom("contract_events").select("hash").execute();
    const before = (await evidence()).length;
    const answers = new Map<string, number>();
    for (let turn = 0; turn < guesses; turn++) {
      const key = guess(turn, real, [sent[0]?.contractId ?? "", sent[0]?.booking.id ?? ""]);
      const { status, body } =
        turn % 10 === 8
          ? await guest.sign(key, page)
          : turn % 10 === 9
            ? await guest.decline(key, page)
            : await guest.open(key);
      const { requestId: _own, ...rest } = body as typeof body & { requestId?: string };
      const result = `${status} ${JSON.stringify(rest)}`;
      answers.set(result, (answers.get(result) ?? 0) + 1);
    }
    expect([...answers.keys()]).toHaveLength(1);
    expect([...answers.keys()][0]).toMatch(/^404 .*This link has expired/);
    expect([...answers.values()]).toEqual([guesses]);
    expect((await evidence()).length).toBe(before);
    for (const key of real) expect((await guest.open(key)).body.can_sign).toBe(true);
  },
);
