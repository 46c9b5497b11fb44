import { randomUUID } from 'node:crypto';
import { copyAccount } from '../../src/features/people/accounts/account-copies.ts';
import { createSessions } from '../../src/features/people/accounts/sessions.ts';
import { instantText, systemClock } from '../../src/platform/time/clock.ts';
import type { Api } from './api.ts';
import { type Browser, openBrowser } from './browser.ts';

const clock = systemClock();

/** Options of a new member of a merchant. */
export interface NewMember {
  readonly merchant_id: string;
  readonly permissions: readonly string[];
  readonly name?: string;
}

/** Creates a member with these permissions. Returns the account, and a browser with its session. */
export async function openMember(
  { fixtures: { db, global }, stack }: Pick<Api, 'fixtures' | 'stack'>,
  { merchant_id, permissions, name }: NewMember,
): Promise<{ readonly id: string; readonly email: string; readonly browser: Browser }> {
  const [id, at] = [randomUUID(), instantText(clock.now())];
  const email = `${id}@example.com`;
  await global.query(
    `insert into accounts (id, email, name, account_status, operator, email_verified_at, created_at, updated_at)
     values ($1, $2, $3, 'active', false, $4, $4, $4)`,
    [id, email, name, at],
  );
  await copyAccount(db, global, id);
  await db.query(
    `insert into memberships (merchant_id, id, account_id, opener, permissions, accepted_at, created_at, updated_at)
     values ($1, $2, $3, false, $4, $5, $5, $5)`,
    [merchant_id, randomUUID(), id, JSON.stringify(permissions), at],
  );
  const session = { ip: '127.0.0.1', user_agent: 'tests' };
  const token = await createSessions({ db: global, clock }).open(id, session);
  return { id, email, browser: openBrowser(stack.baseUrl, `florin_session=${token}`) };
}
