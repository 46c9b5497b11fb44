import { randomBytes } from 'node:crypto';
import type { Db } from '../db.ts';

const SECRET_BYTES = 32;

/** Random secret of this installation, the same for all processes. Created on first use. */
export async function loadInstanceSecret(db: Db, name: string): Promise<Buffer> {
  await db.query(
    'insert into instance_secrets (name, value) values ($1, $2) on conflict do nothing',
    [name, randomBytes(SECRET_BYTES)],
  );
  const [row] = await db.query(
    `select encode(value, 'hex') as value from instance_secrets where name = $1`,
    [name],
  );
  return Buffer.from(row?.value as string, 'hex');
}
