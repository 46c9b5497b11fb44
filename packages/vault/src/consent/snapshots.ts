import { createHash } from 'node:crypto';
import { canonicalJson } from '@florin/contract/canonical-json.ts';
import { boundFormOf, isKnownRule, unbound } from '@florin/contract/protocol/known-rules.ts';
import type {
  EgressRule,
  ProcessorAccountRef,
} from '@florin/contract/protocol/processor-accounts.ts';
import {
  type AccountSecretRow,
  accountKeyOf,
  hasSecret,
} from '../processor-accounts/account-store.ts';
import { type OpenSecretDeps, openSecret } from '../processor-accounts/open-secret.ts';
import type { Db } from '../store/db.ts';
import { describeMerchant } from './describe-merchant.ts';
import { hasCard, rulesOf } from './rules.ts';

/** Accounts as the server stored them, and as operators accepted them. */
export const SNAPSHOT_TABLES = {
  stored: { accounts: 'processor_accounts', secrets: 'processor_secrets' },
  accepted: { accounts: 'accepted_accounts', secrets: 'accepted_secrets' },
} as const;
export type SnapshotKind = keyof typeof SNAPSHOT_TABLES;

/** Addresses, merchant, rules and secrets of an account at one time. */
export interface Snapshot extends ProcessorAccountRef {
  /** SHA-256 of all of it, in hex. The server writes the content, so that a shorter id could have two. */
  readonly id: string;
  /** Null: every merchant. */
  readonly merchant_id: string | null;
  readonly origins: readonly string[];
  readonly egress: readonly EgressRule[] | null;
  /** Names of the secrets, each with its SHA-256 in hex. */
  readonly secrets: readonly { readonly name: string; readonly digest: string }[];
}

/** Reads all accounts, or one, with digests of their secrets. Candidates are left out: they carry no card. */
export async function loadSnapshots(
  db: Db,
  deps: OpenSecretDeps,
  kind: SnapshotKind,
  only?: ProcessorAccountRef,
): Promise<Snapshot[]> {
  const { accounts, secrets } = SNAPSHOT_TABLES[kind];
  const rows = await db.query<AccountSecretRow>(
    `select account_id, mode, account.merchant_id, account.origins, account.egress::text as egress,
       secret.name, secret.root_version, secret.wrapped
     from vault.${accounts} account
     left join vault.${secrets} secret using (account_id, mode)
     where account_id not like '%-candidate'
       and ($1::text is null or (account_id = $1 and mode = $2))
     order by mode, account_id, name`,
    [only?.account_id ?? null, only?.mode ?? null],
  );
  const groups = Map.groupBy(rows, accountKeyOf);
  return Promise.all([...groups.values()].map((group) => snapshotOf(deps, group)));
}

async function snapshotOf(
  deps: OpenSecretDeps,
  rows: readonly AccountSecretRow[],
): Promise<Snapshot> {
  const { account_id, mode, merchant_id, origins, egress } = rows[0] as AccountSecretRow;
  const secrets = await Promise.all(
    rows.filter(hasSecret).map(async (row) => ({
      name: row.name,
      hash: sha256(
        await openSecret(deps, row).catch(() => `unreadable ${row.wrapped.toString('hex')}`),
      ),
    })),
  );
  const rules = egress === null ? null : (JSON.parse(egress) as EgressRule[]);
  const content = {
    account_id,
    mode,
    merchant_id,
    origins: origins.toSorted(),
    egress: rules === null ? null : rules.map(canonicalJson).toSorted(),
    secrets,
  };
  return {
    id: sha256(canonicalJson(content)),
    account_id,
    mode,
    merchant_id,
    origins,
    egress: rules,
    secrets: secrets.map(({ name, hash }) => ({ name, digest: hash })),
  };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Whether the server stored addresses, merchant, rules or secrets that are not accepted. Accepted ones that it left out do not count. */
export function isWaiting(stored: Snapshot, accepted: Snapshot | undefined): boolean {
  if (!accepted) return true;
  const knownSecrets = new Set(accepted.secrets.map(canonicalJson));
  return (
    canonicalJson(stored.origins) !== canonicalJson(accepted.origins) ||
    stored.merchant_id !== accepted.merchant_id ||
    (stored.egress === null) !== (accepted.egress === null) ||
    newRules(stored, accepted).length > 0 ||
    stored.secrets.some((secret) => !knownSecrets.has(canonicalJson(secret)))
  );
}

const newRules = ({ egress }: Snapshot, accepted: Snapshot | undefined): readonly EgressRule[] => {
  const known = rulesOf(accepted?.egress ?? null);
  return (egress ?? []).filter((rule) => !known.has(canonicalJson(rule)));
};

/**
 * Lines that tell an operator each message, place and login of an account in full. Differences from the accepted copy
 * are marked.
 */
export function describeSnapshot(snapshot: Snapshot, accepted?: Snapshot): string[] {
  const { egress, origins, secrets } = snapshot;
  const added = new Set(accepted ? newRules(snapshot, accepted) : []);
  const knownSecrets = new Set((accepted ?? snapshot).secrets.map(canonicalJson));
  const isOtherMerchant = accepted && accepted.merchant_id !== snapshot.merchant_id;
  const left = accepted ? newRules(accepted, snapshot) : [];
  return [
    `  addresses ${origins.join(', ')}`,
    `  ${isOtherMerchant ? 'NEW ' : ''}${describeMerchant(snapshot.merchant_id)}`,
    ...(egress === null ? ['  any message without a card'] : []),
    ...(egress ?? []).map((rule) => `  ${added.has(rule) ? 'NEW ' : ''}${describeRule(rule)}`),
    ...left.map((rule) => `  no longer: ${describeRule(rule)}`),
    ...secrets.map((secret) => {
      const mark = knownSecrets.has(canonicalJson(secret)) ? '' : 'NEW ';
      return `  ${mark}secret ${secret.name}, SHA-256 ${secret.digest}`;
    }),
  ];
}

function describeRule(rule: EgressRule): string {
  const { method, origin, path, ...rest } = rule;
  const kind = hasCard(rule) ? 'card' : 'no card';
  const notes = [...(rule.login ? [] : [', login not bound']), ...originNoteOf(rule)];
  return `${kind}: ${method} ${origin}${path} ${canonicalJson(rest)}${notes.join('')}`;
}

/** Tells which rules an operator must compare. */
function originNoteOf(rule: EgressRule): string[] {
  if (isKnownRule(rule)) return [];
  // Earlier releases stored rules of shipped adapters without a login.
  if (boundFormOf(rule)) return [];
  const shipped = boundFormOf(unbound(rule));
  return shipped && canonicalJson(shipped) === canonicalJson(rule)
    ? [', of one merchant account: compare']
    : [', of no shipped adapter'];
}
