import { createLru } from '@florin/contract/lru.ts';
import type { Db } from '../../../platform/database/db.ts';
import { type CellDatabases, hasPeopleApart } from '../../../platform/database/in-both.ts';
import { readAccountsToCopy, storeAccountCopy } from '../sql/account-copies.ts';
import type { Account, SignedInPerson } from '../sql/sessions.ts';
import type { Sessions } from './sessions.ts';

/** Maximum number of people whose copy this process knows. */
const KNOWN_MAX = 10_000;

/**
 * Copies an account to the cell, whose members and entries refer to it. Where an address moved between two accounts, the
 * other copy follows. Does nothing where both databases are one.
 */
export async function copyAccount(cell: Db, global: Db, account_id: string): Promise<void> {
  if (cell === global) return;
  for (let id: string | undefined = account_id; id !== undefined; ) {
    const [account] = await readAccountsToCopy(global, [id]);
    id = account && (await storeAccountCopy(cell, account));
  }
}

/** Sessions whose people have an up-to-date copy in the cell before they act there. */
export function withAccountCopies({ db, global }: CellDatabases, sessions: Sessions): Sessions {
  if (!hasPeopleApart({ db, global })) return sessions;
  const known = createLru<string>(KNOWN_MAX);
  const copied = async (
    person: SignedInPerson | undefined,
  ): Promise<SignedInPerson | undefined> => {
    if (!person) return undefined;
    const { id } = person.account;
    const shown = shownOf(person.account);
    if (known.get(id) === shown) return person;
    await copyAccount(db, global, id);
    known.set(id, shown);
    return person;
  };
  return {
    ...sessions,
    findPerson: async (token, isUse) => copied(await sessions.findPerson(token, isUse)),
  };
}

/** Text of all that other people of a merchant see. */
const shownOf = ({ email, name, email_verified }: Account): string =>
  JSON.stringify([email, name, email_verified]);
