import { problem } from '@florin/contract/errors.ts';
import type { Db } from '../../../platform/database/db.ts';
import { type BothTransactions, inBoth } from '../../../platform/database/in-both.ts';
import type { Row } from '../../../platform/database/row.ts';
import { violatedConstraint } from '../../../platform/database/wire/constraints.ts';
import { instantText } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { writeAccountEmail } from '../emails/write.ts';
import { consumeLink, endLinks } from '../sql/account-links.ts';
import { activateAccount, updateAccount } from '../sql/accounts.ts';
import { acceptInvitation } from '../sql/members.ts';
import { setOperator } from '../sql/operators.ts';
import { adoptWaitingAccount } from '../sql/waiting-accounts.ts';
import { copyAccount } from './account-copies.ts';
import { requireValidPassword } from './password-rules.ts';
import type { Passwords } from './passwords.ts';
import type { Sessions } from './sessions.ts';

export interface LinkDeps {
  readonly services: Pick<Services, 'db' | 'global' | 'system_clock' | 'wake'>;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
}

/** Data from the person who uses a link. */
export interface LinkUser {
  readonly name?: string | undefined;
  readonly password?: string | undefined;
  /** Id of the signed-in account. */
  readonly signed_in?: string | undefined;
}

/** Result of a used link. `enters`: the person is signed in afterwards. */
export interface UsedLink {
  readonly account_id: string;
  readonly enters: boolean;
  readonly merchant_id?: string;
}

/** Uses a link, once. Throws `link_unusable` (422) if another request has used it. */
export async function useLink(deps: LinkDeps, link: Row, user: LinkUser): Promise<UsedLink> {
  const hash = await newHash(deps, link, user);
  const usedLink = await inBoth(deps.services, async (both) => {
    const at = instantText(deps.services.system_clock.now());
    if (!(await consumeLink(both.global, link.id as string, at))) throw unusableLink();
    return act(deps, both, { link, user, hash, at });
  });
  deps.services.wake.account_emails.raise();
  return usedLink;
}

interface LinkAction {
  readonly link: Row;
  readonly user: LinkUser;
  readonly hash: string | undefined;
  readonly at: string;
}

const act = (deps: LinkDeps, both: BothTransactions, action: LinkAction): Promise<UsedLink> => {
  switch (action.link.purpose) {
    case 'reset_password':
      return resetPassword(deps, both.global, action);
    case 'change_email':
      return changeEmail(deps, both, action);
    case 'invitation':
      return acceptLink(both, action);
    case 'operator':
      return becomeOperator(both.global, action);
    default:
      return enter(both.global, action);
  }
};

/**
 * Hashes before the transaction, because hashing is slow. Undefined if the link needs no password.
 */
async function newHash(
  { passwords }: LinkDeps,
  { purpose, account_status, email, new_email }: Row,
  { password = '' }: LinkUser,
): Promise<string | undefined> {
  const isNew = account_status === 'pending' && purpose !== 'change_email';
  if (!isNew && purpose !== 'reset_password') return undefined;
  requireValidPassword(password, (new_email ?? email) as string);
  return passwords.hash(password);
}

/** Activates an account: the link has proved the email address. */
async function enter(tx: Db, { link, user, hash, at }: LinkAction): Promise<UsedLink> {
  const account_id = link.account_id as string;
  if (hash === undefined) throw unusableLink();
  const name = user.name ?? '';
  if (!name) throw problem('blank', 'Enter your name.', { pointer: '/name' });
  const isNew = await activateAccount(tx, account_id, { name, password_hash: hash, at });
  if (!isNew) throw unusableLink();
  return { account_id, enters: true };
}

/** The link alone gives the rights, so they end with it if nobody uses it. */
async function becomeOperator(tx: Db, action: LinkAction): Promise<UsedLink> {
  const usedLink = await enter(tx, action);
  await setOperator(tx, action.link.email as string, true, action.at);
  return usedLink;
}

/** Where people are apart, a crash may use up the link first. Then the dashboard still offers the invitation. */
async function acceptLink(
  { cell, global }: BothTransactions,
  action: LinkAction,
): Promise<UsedLink> {
  const { link, hash, at } = action;
  const account_id = link.account_id as string;
  const enters = hash !== undefined;
  if (enters) await enter(global, action);
  else requireSignedIn(action, INVITED_SIGN_IN_DETAIL);
  const merchant_id = link.merchant_id as string;
  const membership = { merchant_id, id: link.membership_id as string };
  if (!(await acceptInvitation(cell, membership, { account_id, at }))) throw unusableLink();
  await copyAccount(cell, global, account_id);
  return { account_id, enters, merchant_id };
}

/** Sets a password and ends all open sessions, since others may know the old password. */
async function resetPassword(
  { sessions, services }: LinkDeps,
  tx: Db,
  { link, hash, at }: LinkAction,
): Promise<UsedLink> {
  const account_id = link.account_id as string;
  await updateAccount(tx, account_id, { password_hash: hash as string }, at);
  await sessions.endAll(tx, account_id);
  await endLinks(tx, account_id, 'change_email');
  const to_email = link.email as string;
  await writeAccountEmail(tx, services.system_clock.now(), { kind: 'password_changed', to_email });
  return { account_id, enters: false };
}

async function changeEmail(
  { services }: LinkDeps,
  { cell, global: tx }: BothTransactions,
  action: LinkAction,
): Promise<UsedLink> {
  // The reader of the new mailbox must be the person who requested the change. Otherwise a click
  // would hand over someone else's invitations.
  requireSignedIn(action, CHANGED_FIRST);
  const { link, at } = action;
  const account_id = link.account_id as string;
  const email = link.new_email as string;
  // Pending invitations of the address move to this account.
  await adoptWaitingAccount({ cell, global: tx }, { email, account_id, at });
  try {
    await updateAccount(tx, account_id, { email, email_verified_at: at }, at);
  } catch (error) {
    throw violatedConstraint(error) === 'accounts_email' ? unusableLink() : error;
  }
  await copyAccount(cell, tx, account_id);
  await endLinks(tx, account_id, 'reset_password');
  const to_email = link.email as string;
  await writeAccountEmail(tx, services.system_clock.now(), { kind: 'email_changed', to_email });
  return { account_id, enters: false };
}

export const unusableLink = () =>
  problem(
    'link_unusable',
    'The link was used, has expired, or was replaced by a newer one. Request a new link.',
  );

const INVITED_SIGN_IN_DETAIL = 'Sign in with the account of this address to accept the invitation.';
const CHANGED_FIRST =
  'Sign in with the account that requested the new email, then open the link again.';

/** Throws `unauthorized` (401) unless the link's account is signed in. */
function requireSignedIn({ link, user }: LinkAction, detail: string): void {
  if (user.signed_in !== link.account_id) throw problem('unauthorized', detail);
}
