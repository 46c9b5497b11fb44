import { permissionSlug } from '@florin/contract/permissions.ts';
import { paymentDemands } from '@florin/contract/resources/payment-demands.ts';
import type { Config } from '../../../config/config.ts';
import { hasPermission } from '../../../jsonapi/permissions.ts';
import type { Database, Db } from '../../../platform/database/db.ts';
import { type BothTransactions, inBothGlobalFirst } from '../../../platform/database/in-both.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { asHtml } from '../../../platform/emails/as-html.ts';
import { asText } from '../../../platform/emails/as-text.ts';
import type { Draft, EmailContent } from '../../../platform/emails/parts.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { type Clock, instantText } from '../../../platform/time/clock.ts';
import { logAttempt } from '../accounts/access-log.ts';
import { createAccountLink, linkUrl } from '../accounts/links.ts';
import { ensureAccount, findAccountByEmail } from '../sql/accounts.ts';
import { findNotifiedMember, openInvitation } from '../sql/members.ts';
import { type AccountEmailContent, composeAccountEmail } from './compose.ts';
import { type AccountEmailKind, MEMBER_NOTIFICATION } from './kinds.ts';
import { draftNotification } from './notifications/draft.ts';

const READ_PAYMENTS = permissionSlug(paymentDemands, 'read');

export interface DraftServices {
  readonly db: Database;
  readonly global: Database;
  readonly system_clock: Clock;
  readonly config: Pick<Config, 'public_url'>;
}

/**
 * Renders an account email, with a new link if it needs one. Undefined if the account must not get the email. The
 * requester's response does not depend on this, so it does not reveal whether the account exists.
 */
export async function draftAccountEmail(
  services: DraftServices,
  email: Row,
): Promise<Draft | undefined> {
  if (email.kind === MEMBER_NOTIFICATION) {
    const notification = await draftNotification(services.db, services.config.public_url, email);
    return notification && asDraft(notification);
  }
  const content = await (email.kind === 'mention'
    ? services.db.transaction((tx) => mentionOf(tx, services.config.public_url, email))
    : inBothGlobalFirst(services, (both) => contentOf(services, both, email)));
  return content && asDraft(composeAccountEmail({ ...content, locale: email.locale as string }));
}

const factsOf = ({ facts }: Row): Readonly<Record<string, string>> =>
  JSON.parse(facts as string) as Readonly<Record<string, string>>;

const asDraft = (content: EmailContent): Draft => ({
  subject: content.subject,
  text: asText(content),
  html: asHtml(content),
});

async function contentOf(
  services: DraftServices,
  { cell, global: tx }: BothTransactions,
  email: Row,
): Promise<Omit<AccountEmailContent, 'locale'> | undefined> {
  const { public_url } = services.config;
  const facts = factsOf(email);
  const kind = email.kind as Exclude<AccountEmailKind, 'mention'>;
  const makeOwnLink = (link: Parameters<typeof createAccountLink>[2]) =>
    createAccountLink(tx, services.system_clock, link);
  switch (kind) {
    case 'registration': {
      const account = await draftRegistration(services, tx, email.to_email as string);
      if (account.known) return { kind, known: true, url: `${public_url}/dashboard/` };
      const token = await makeOwnLink({ account_id: account.id, purpose: 'verify_email' });
      return { kind, url: linkUrl(public_url, token) };
    }
    case 'reset_password': {
      const account = await findAccountByEmail(tx, email.to_email as string);
      if (account?.account_status !== 'active') return undefined;
      await logReset(services, cell, email, { account_id: account.id as string, ip: facts.ip });
      const token = await makeOwnLink({ account_id: account.id as string, purpose: kind });
      return { kind, url: linkUrl(public_url, token) };
    }
    case 'invitation': {
      const { merchant_id = '', membership_id = '' } = facts;
      const invitation = await openInvitation(cell, { merchant_id, id: membership_id });
      if (!invitation) return undefined;
      const account_id = invitation.account_id as string;
      const token = await makeOwnLink({ account_id, purpose: kind, merchant_id, membership_id });
      const business = invitation.business_name ?? '';
      return { kind, url: linkUrl(public_url, token), business };
    }
    case 'change_email': {
      const { account_id = '' } = facts;
      const token = await makeOwnLink({
        account_id,
        purpose: kind,
        email: email.to_email as string,
      });
      return { kind, url: linkUrl(public_url, token) };
    }
    case 'email_changed':
    case 'password_changed':
    case 'factors_changed':
      return { kind, url: `${public_url}/dashboard/` };
  }
}

/** Mention in a note about a payment. Undefined if the member has left, has another address, or may not read payments. */
async function mentionOf(
  tx: Db,
  public_url: string,
  email: Row,
): Promise<Omit<AccountEmailContent, 'locale'> | undefined> {
  const { merchant_id = '', mode, membership_id = '', payment_id } = factsOf(email);
  const key = { merchant_id, id: membership_id, email: email.to_email as string };
  const member = await findNotifiedMember(tx, key, mode as Scope['mode']);
  if (!member || !hasPermission(member, READ_PAYMENTS)) return undefined;
  const pages = `${public_url}/dashboard/${merchant_id}/${mode}`;
  return {
    kind: 'mention',
    url: `${pages}/payments/${payment_id}`,
    settings_url: `${pages}/notifications`,
    business: member.business,
  };
}

/**
 * Logs a password reset, once per email. The account is first known here; the requester's IP
 * address was stored with the email.
 */
async function logReset(
  { system_clock }: DraftServices,
  tx: Db,
  { tries_count }: Row,
  { account_id, ip = '' }: { readonly account_id: string; readonly ip: string | undefined },
): Promise<void> {
  if (Number(tries_count) > 0) return;
  const action = 'POST /dashboard/api/password_resets';
  await logAttempt(tx, system_clock, { account_id, action, ip, outcome: 202 });
}

/**
 * Account of a registration: creates a pending account unless the address has one. `known`: the
 * account is active already.
 */
async function draftRegistration(
  { system_clock }: DraftServices,
  tx: Db,
  email: string,
): Promise<{ readonly id: string; readonly known: boolean }> {
  const now = system_clock.now();
  const id = await ensureAccount(tx, { id: uuidv7(now), email, at: instantText(now) });
  const account = await findAccountByEmail(tx, email);
  return { id, known: account?.account_status !== 'pending' };
}
