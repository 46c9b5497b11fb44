import { problem } from '@florin/contract/errors.ts';
import type { RequestContext, WriteInput } from '../../../jsonapi/behaviour.ts';
import { insertRecords } from '../../../platform/database/create.ts';
import type { Db } from '../../../platform/database/db.ts';
import { inBoth } from '../../../platform/database/in-both.ts';
import type { Row } from '../../../platform/database/row.ts';
import { violatedConstraint } from '../../../platform/database/wire/constraints.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { instantText } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { grantableSlugs } from '../../merchants/granting.ts';
import { keyTaken } from '../../records/keys.ts';
import { copyAccount } from '../accounts/account-copies.ts';
import { tooManyEmails } from '../emails/limits.ts';
import { writeAccountEmail } from '../emails/write.ts';
import { ensureAccount, isMember } from '../sql/accounts.ts';

/**
 * `POST /v2/memberships` invites a person by email address. Clients must not learn whether the
 * address has an account: the row stores the account immediately, but shows it after acceptance.
 */
export async function inviteMember(
  services: Services,
  ctx: RequestContext,
  input: WriteInput,
  record: Row,
): Promise<Row> {
  const { db } = services;
  const email = await addressOf(db, ctx, input);
  const permissions = await permissionsOf(db, ctx, input);
  const row = { ...record, permissions, invited_mode: ctx.scope.mode };
  try {
    const membership = await storeInvitation(services, ctx, email, row);
    services.wake.account_emails.raise();
    return { ...membership, account_id: null };
  } catch (error) {
    throw violatedConstraint(error) === ONE_MEMBERSHIP ? invitedProblem() : error;
  }
}

/** Stores the account and the invitation in one transaction. */
const storeInvitation = (
  { db, global, catalog, system_clock, email_limits }: Services,
  ctx: RequestContext,
  email: string,
  invitation: Row,
): Promise<Row> =>
  inBoth({ db, global }, async ({ cell: tx, global: people }) => {
    const account_id = await accountOf(people, ctx, email);
    await copyAccount(tx, people, account_id);
    const row = { ...invitation, account_id };
    const record = { row, events: [], idempotency: ctx.idempotency };
    const [storedRow] = await insertRecords(tx, catalog, 'memberships', [record]);
    if (storedRow?.outcome !== 'created') throw keyTaken();
    await requireEmailLimit(people, { email_limits }, ctx.scope.merchant_id, email);
    await writeInvitation(tx, system_clock.now(), row);
    return row;
  });

/**
 * Counts an invitation email, in a transaction on the database of people if given. Throws `rate_limited` (429) if the
 * merchant or the address has had too many.
 */
export async function requireEmailLimit(
  tx: Db | undefined,
  { email_limits }: Pick<Services, 'email_limits'>,
  merchant_id: string,
  email: string,
): Promise<void> {
  const mayInvite =
    (await email_limits.countMerchant(merchant_id, tx)) &&
    (await email_limits.countEmailTo(email, tx));
  if (!mayInvite) throw tooManyEmails();
}

/** Stores an invitation email, whose link accepts only this membership. */
export const writeInvitation = (tx: Db, now: number, { merchant_id, id, email }: Row) =>
  writeAccountEmail(tx, now, {
    kind: 'invitation',
    to_email: email as string,
    facts: { merchant_id: merchant_id as string, membership_id: id as string },
  });

/** An account has one membership per merchant. */
const ONE_MEMBERSHIP = 'memberships_merchant_id_account_id_key';

/**
 * Email address to invite. Throws 422 if it is missing, or if the client names an account instead.
 */
async function addressOf(
  db: Db,
  { scope }: RequestContext,
  { attributes, relationships }: WriteInput,
): Promise<string> {
  const { email } = attributes;
  const { account } = relationships;
  if (typeof email === 'string' && typeof account === 'string') throw bothProblem();
  if (typeof email === 'string') return email;
  if (typeof account !== 'string') throw neitherProblem();
  throw (await isMember(db, scope.merchant_id, account)) ? memberProblem() : noAccount();
}

const accountOf = (db: Db, ctx: RequestContext, email: string): Promise<string> =>
  ensureAccount(db, { id: uuidv7(ctx.now()), email, at: instantText(ctx.now()) });

/** Permissions of a membership as JSON; undefined if the client sent none. */
export async function permissionsOf(
  db: Db,
  ctx: RequestContext,
  { relationships: { permissions } }: WriteInput,
): Promise<string> {
  if (!Array.isArray(permissions)) return '[]';
  return JSON.stringify(await grantableSlugs(db, ctx, permissions));
}

const EMAIL = { pointer: '/data/attributes/email' };
const ACCOUNT = { pointer: '/data/relationships/account' };

const bothProblem = () => problem('invalid', 'Send either account or email, not both.', EMAIL);

const neitherProblem = () => problem('blank', 'Send the email of the person to invite.', EMAIL);

const invitedProblem = () =>
  problem('already_member', 'A person with this email is already a member or invited.', EMAIL);

const memberProblem = () => problem('already_member', 'The account is already a member.', ACCOUNT);

const noAccount = () =>
  problem(
    'relationship_not_found',
    'The account is not visible to you. Invite the person by email.',
    ACCOUNT,
  );
