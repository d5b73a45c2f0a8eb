// Change of the account of a signed-in customer.
import type { AccountActors } from './account-actors.js';
import type { Account } from './account.js';
import type { Change } from './changes/change.js';
import { assertStillSignedIn } from './changes/reauthentication.js';
import type { Client } from './client-info.js';
import type { Caller } from './sessions.js';

export interface SignedInClient {
  readonly caller: Caller;
  readonly client: Client;
}

export type DecideChange<Result> = (account: Account, at: Date) => Change<Result>;

/** Changes the account. Throws the errors of `actors.run`, `decide` and `assertStillSignedIn`. */
export function changeSignedIn<Result>(
  actors: Pick<AccountActors, 'run'>,
  { caller: { account, session }, client }: SignedInClient,
  decide: DecideChange<Result>,
): Promise<Result> {
  return actors.run(account.id, client.actor, (current, at) => {
    assertStillSignedIn(current, session.id, at);
    return decide(current, at);
  });
}
