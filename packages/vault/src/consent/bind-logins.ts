import { canonicalJson } from '@florin/contract/canonical-json.ts';
import { boundFormOf } from '@florin/contract/protocol/known-rules.ts';
import type {
  EgressRule,
  ProcessorAccountRef,
} from '@florin/contract/protocol/processor-accounts.ts';
import type { Audit } from '../audit/audit.ts';
import type { Database } from '../store/db.ts';
import { addRules, describeRules } from './rules.ts';

interface AcceptedRow extends ProcessorAccountRef {
  readonly egress: string;
}

interface BindDeps {
  readonly db: Pick<Database, 'query' | 'transaction'>;
  readonly audit: Pick<Audit, 'record'>;
}

/**
 * Binds accepted rules of shipped adapters to their login, before the first message. Releases before consent stored
 * rules without one, and a server that was taken over would not publish the login.
 */
export async function bindKnownLogins(deps: BindDeps): Promise<void> {
  const rows = await deps.db.query<AcceptedRow>(
    'select account_id, mode, egress::text as egress from vault.accepted_accounts where egress is not null',
  );
  for (const row of rows) await bindAccount(deps, row);
}

async function bindAccount(
  { db, audit }: BindDeps,
  { account_id, mode, egress }: AcceptedRow,
): Promise<void> {
  const accepted = JSON.parse(egress) as EgressRule[];
  const bound = addRules(
    accepted,
    accepted.flatMap((rule) => boundFormOf(rule) ?? []),
  );
  if (canonicalJson(bound) === canonicalJson(accepted)) return;
  const entry = { actor: 'schedule', verb: 'accept_rules', mode } as const;
  const subject = `${account_id} bound ${describeRules(bound)}`;
  await audit.record({ ...entry, outcome: `requested: ${subject}` });
  // The copy that the server stored gets the same logins, so that no operator is asked about them.
  const changed = await db.transaction(async (tx) => {
    const replaceIn = (table: 'accepted_accounts' | 'processor_accounts') =>
      tx.query(
        `update vault.${table} set egress = $3
         where account_id = $1 and mode = $2 and egress = $4::jsonb returning account_id`,
        [account_id, mode, JSON.stringify(bound), egress],
      );
    await replaceIn('processor_accounts');
    return replaceIn('accepted_accounts');
  });
  if (changed.length > 0) await audit.record({ ...entry, outcome: subject });
}
