import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** Hashes of the cryptograms of approvals. */
export const CRYPTOGRAM_SCHEMA =
  'create table if not exists cryptograms (hash text primary key) strict, without rowid';

/** Cryptograms that approvals used. An issuer accepts each cryptogram once. */
export interface CryptogramBooks {
  isUsed(cryptogram: string): boolean;
  /** Call only inside a commit. */
  use(cryptogram: string): void;
}

export function createCryptogramBooks(db: DatabaseSync): CryptogramBooks {
  const select = db.prepare('select 1 from cryptograms where hash = ?');
  const insert = db.prepare('insert or ignore into cryptograms values (?)');
  const hashOf = (cryptogram: string) => createHash('sha256').update(cryptogram).digest('hex');
  return {
    isUsed: (cryptogram) => select.get(hashOf(cryptogram)) !== undefined,
    use: (cryptogram) => void insert.run(hashOf(cryptogram)),
  };
}
