import {
  accountIdOf,
  isCandidateId,
  type ProcessorAccountRef,
} from '@florin/contract/protocol/processor-accounts.ts';
import type { AccountSecretRow } from '../processor-accounts/account-store.ts';
import type { Db } from '../store/db.ts';

/**
 * The accounts as operators accepted them, with all accepted secrets. A candidate has addresses, merchant and rules of
 * its account, and the secrets that the server stored to check them.
 */
export async function selectAcceptedAccounts(
  db: Db,
  accounts: readonly ProcessorAccountRef[],
): Promise<AccountSecretRow[]> {
  const candidates = accounts.filter(({ account_id }) => isCandidateId(account_id));
  const others = accounts.filter(({ account_id }) => !isCandidateId(account_id));
  return [
    ...(others.length > 0 ? await select(db, others, 'accepted_secrets') : []),
    ...(candidates.length > 0 ? await select(db, candidates, 'processor_secrets') : []),
  ];
}

const select = (
  db: Db,
  accounts: readonly ProcessorAccountRef[],
  secrets: 'accepted_secrets' | 'processor_secrets',
): Promise<AccountSecretRow[]> =>
  db.query<AccountSecretRow>(
    `select named.account_id, named.mode, accepted.merchant_id, accepted.origins,
       accepted.egress::text as egress, secret.name, secret.root_version, secret.wrapped
     from unnest($1::text[], $2::text[], $3::text[]) as named (account_id, mode, accepted_id)
     join vault.accepted_accounts accepted
       on accepted.account_id = named.accepted_id and accepted.mode = named.mode
     left join vault.${secrets} secret
       on secret.account_id = named.account_id and secret.mode = named.mode`,
    [
      accounts.map(({ account_id }) => account_id),
      accounts.map(({ mode }) => mode),
      accounts.map(({ account_id }) =>
        isCandidateId(account_id) ? accountIdOf(account_id) : account_id,
      ),
    ],
    `accounts-of-${secrets}`,
  );
