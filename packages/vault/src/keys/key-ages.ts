import type { VaultHealth } from '@florin/contract/protocol/vault-health.ts';
import type { Db } from '../store/db.ts';

export type KeyAges = NonNullable<VaultHealth['key_ages']>;

const MS = 1_000;

/** Seconds since the newest root key and public sealing key were created. */
export async function readKeyAges(db: Db, now: number): Promise<KeyAges> {
  const [row] = await db.query<{ readonly root: Date | null; readonly sealing: Date | null }>(
    `select (select max(created_at) from vault.root_keys) as root,
       (select max(created_at) from vault.sealing_keys) as sealing`,
    [],
    'key-ages',
  );
  const age = (created_at: Date | null | undefined) =>
    created_at ? Math.max(0, (now - created_at.getTime()) / MS) : undefined;
  const [root, sealing] = [age(row?.root), age(row?.sealing)];
  return { ...(root !== undefined && { root }), ...(sealing !== undefined && { sealing }) };
}
