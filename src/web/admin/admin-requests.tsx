/** Who asked to be an admin at sign-up. Stands above the list only while somebody waits. */
import { useState } from "react";
import overview from "../areas/overview.module.css";
import { dayAndMonth, momentHere } from "../lib/dates.ts";
import { useAdminRequests, useDecideAdminRequest } from "../lib/people.ts";
import { refusalOf } from "../lib/refusal.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { toast } from "../ui/toaster.tsx";

/** Lists the requests with their two answers. */
export function AdminRequests() {
  const requests = useAdminRequests();
  const decide = useDecideAdminRequest();
  const [proving, setProving] = useState(false);
  const [password, setPassword] = useState("");
  const waiting = requests.data?.items ?? [];
  if (waiting.length === 0) return null;
  const answer = async (userId: string, granted: boolean) => {
    try {
      await decide.mutateAsync({ userId, granted, ...(granted && password ? { password } : {}) });
      setPassword("");
      setProving(false);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.code === "reauthentication_needed") setProving(true);
      toast({ tone: "error", title: "Error", text: refusal.message });
    }
  };
  return (
    <section className={`${overview.pane} ${overview.above}`}>
      <h2>Admin requests</h2>
      <ul className={overview.lines}>
        {waiting.map((one) => (
          <li key={one.userId}>
            <span>
              <strong>{one.name}</strong>
              <small>
                {one.email}, {one.emailVerified ? "verified" : "not verified"}, asked{" "}
                {dayAndMonth(momentHere(one.createdAt).day)}
              </small>
            </span>
            <Button tone="line" size="sm" busy={decide.isPending} onClick={() => void answer(one.userId, false)}>
              Decline
            </Button>
            <Button size="sm" busy={decide.isPending} onClick={() => void answer(one.userId, true)}>
              Make admin
            </Button>
          </li>
        ))}
      </ul>
      {proving ? (
        <TextField
          label="Your own password"
          name="request-proof"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          hint="Type it and press Make admin again."
        />
      ) : null}
      <p className={`small quiet ${overview.foot}`}>Until you decide, they work as promoters.</p>
    </section>
  );
}
