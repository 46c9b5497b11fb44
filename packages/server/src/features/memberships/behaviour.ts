import { problem } from '@florin/contract/errors.ts';
import type { Behaviour, RequestContext, WriteInput } from '../../jsonapi/behaviour.ts';
import { instantText } from '../../kernel/clock.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import { ensureAccount, isMember } from '../../store/accounts.ts';
import { violatedConstraint } from '../../store/constraints.ts';
import { insertRecords } from '../../store/create.ts';
import type { Db } from '../../store/db.ts';
import type { Row } from '../../store/row.ts';
import { heldSlugs } from '../merchants/granting.ts';
import { keyTaken } from '../records/keys.ts';
import type { Services } from '../services.ts';

/**
 * `POST /v2/memberships` invites a person by an address. Whether somebody has an account under it already is
 * the person's own matter: the account is pointed to from the start, and seen once the person has accepted.
 */
export function membershipBehaviour(services: Services): Behaviour {
  const { db } = services;
  return {
    async create(ctx, input, record) {
      const email = await addressOf(db, ctx, input);
      const permissions = await permissionsOf(db, ctx, input);
      const row = { ...record, permissions, invited_mode: ctx.scope.mode };
      try {
        return { ...(await invite(services, ctx, email, row)), account_id: null };
      } catch (error) {
        throw violatedConstraint(error) === ONE_MEMBERSHIP ? invited() : error;
      }
    },
  };
}

/** The account of a person who is not invited after all is not made either. */
const invite = (
  { db, catalog }: Services,
  ctx: RequestContext,
  email: string,
  invitation: Row,
): Promise<Row> =>
  db.transaction(async (tx) => {
    const row = { ...invitation, account_id: await accountOf(tx, ctx, email) };
    const record = { row, events: [], idempotency: ctx.idempotency };
    const [stored] = await insertRecords(tx, catalog, 'memberships', [record]);
    if (stored?.outcome !== 'created') throw keyTaken();
    return row;
  });

/** Of an account and a merchant there is one membership. */
const ONE_MEMBERSHIP = 'memberships_merchant_id_account_id_key';

/** The address to invite. Throws where there is none, or where an account is named, which can only be a member's. */
async function addressOf(
  db: Db,
  { scope }: RequestContext,
  { attributes, relationships }: WriteInput,
): Promise<string> {
  const { email } = attributes;
  const { account } = relationships;
  if (typeof email === 'string' && typeof account === 'string') throw both();
  if (typeof email === 'string') return email;
  if (typeof account !== 'string') throw neither();
  throw (await isMember(db, scope.merchant_id, account)) ? member() : noAccount();
}

const accountOf = (db: Db, ctx: RequestContext, email: string): Promise<string> =>
  ensureAccount(db, { id: uuidv7(ctx.now()), email, at: instantText(ctx.now()) });

async function permissionsOf(
  db: Db,
  ctx: RequestContext,
  { relationships: { permissions } }: WriteInput,
): Promise<string> {
  if (!Array.isArray(permissions)) return '[]';
  return JSON.stringify(await heldSlugs(db, ctx, permissions));
}

const EMAIL = { pointer: '/data/attributes/email' };
const ACCOUNT = { pointer: '/data/relationships/account' };

const both = () => problem('invalid', 'Name an account or an email to invite, not both.', EMAIL);

const neither = () => problem('blank', 'Name the email of the person to invite.', EMAIL);

const invited = () =>
  problem('already_member', 'Somebody of this email is a member or invited already.', EMAIL);

const member = () => problem('already_member', 'The account is a member already.', ACCOUNT);

const noAccount = () =>
  problem(
    'relationship_not_found',
    'Only the accounts of members are seen. Invite a person by email.',
    ACCOUNT,
  );
