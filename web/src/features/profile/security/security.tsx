import { ROLE } from "@turnpike/contract/codes";
import { useQuery } from "@tanstack/react-query";
import { ErrorState } from "../../../components/states.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { selfQuery } from "../../../lib/session/account.ts";
import { AccessTokenCard } from "../access-token-card.tsx";
import { AccountCard } from "../account-card.tsx";
import { BindingsCard } from "../bindings-card.tsx";
import { DeleteCard } from "../delete-card.tsx";
import { PasskeysCard } from "./passkeys-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { TwoFactorCard } from "./two-factor-card.tsx";

/** Ways to sign in and open sessions. */
export function Security() {
  const self = useQuery(selfQuery);
  const user = self.data;
  if (!user) {
    return self.isError ? (
      <ErrorState error={self.error} onRetry={() => void self.refetch()} />
    ) : (
      <Skeleton className="h-96 w-full" />
    );
  }
  return (
    <div className="grid items-start gap-4 md:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        <AccountCard key={`${user.username} ${user.display_name}`} user={user} />
        <PasswordCard user={user} />
        <AccessTokenCard />
        {user.role < ROLE.root && <DeleteCard user={user} />}
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <BindingsCard user={user} />
        <TwoFactorCard />
        <PasskeysCard />
        <SessionsCard />
      </div>
    </div>
  );
}
