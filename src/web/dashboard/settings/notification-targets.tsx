import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { orpc } from "../../lib/api/query.ts";

export function NotificationTargets() {
  const me = useQuery(orpc.users.me.queryOptions());
  const { email, phone } = me.data ?? {};
  const account = <Link to={paths.account}>your account</Link>;
  return (
    <>
      {email ? `Email goes to ${email}. ` : ""}
      {me.data === undefined ? null : phone ? (
        <>
          SMS goes to +{phone.replace(/^\+/, "")}, the number of {account}.{" "}
        </>
      ) : (
        <>SMS needs a number: add one to {account}. </>
      )}
      Contracts to sign, cancellations, refunds and messages about your account are always sent.
    </>
  );
}
