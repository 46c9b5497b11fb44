import { ProblemError } from '@florin/contract/errors.ts';
import type { Behaviour, Behaviours, RequestContext } from '../../jsonapi/behaviour.ts';
import { createLimiter } from '../../platform/concurrency/limiter.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf as rowKeyOf } from '../../platform/database/row-key.ts';
import { findRow } from '../../platform/database/rows.ts';
import { scopeOf } from '../../platform/database/scope.ts';
import { microsOf } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { isOpen, type MountedRecord } from '../checkout/mounted.ts';
import { readPaymentStatus } from '../checkout/status.ts';
import { createOwnContext } from '../merchants/own-context.ts';
import { findSettings } from '../merchants/sql/callers.ts';
import { type ClosedReason, findClosedReason } from '../merchants/status-checks.ts';
import { createRecordCreator } from '../records/create-records.ts';
import { findSurvivors, survivorOf } from '../records/sql/survivors.ts';
import { type Availability, availabilityOf, mayComplete } from './decide.ts';
import {
  type EnteredPayer,
  type KnownPayer,
  type LinkPayer,
  purchaseIdempotencyKey,
  purchaseOf,
  purchaseType,
} from './purchase.ts';
import { countEndedPurchases, countUse, findLink, findOpenPurchase, hasUseLeft } from './sql.ts';

/**
 * Limit of concurrent confirmations for links with `uses_max`. Each confirmation holds a database
 * connection.
 */
const CONFIRMING = { max: 2, waiting_max: 500 };

export type Confirmation = 'confirmed' | 'gone' | 'declined';

/**
 * Steps of a payer from a link to a payment. The same rules apply as for requests of the merchant.
 */
export interface Checkouts {
  /**
   * Creates an intent, and a customer unless the link has one. Submitting the same page again returns the same intent.
   * Undefined if the link has ended or its merchant takes no payments.
   */
  begin(link: Row, payer: LinkPayer, request_id: string): Promise<string | undefined>;
  /** Finds the open purchase that `begin` would return. Creates nothing. */
  findBegun(link: Row, payer: LinkPayer): Promise<string | undefined>;
  /** Finds a payment that a payer began over the link. */
  findPurchase(link: Row, id: string): Promise<MountedRecord | undefined>;
  /**
   * Charges the payment. `gone`: the link accepts no more payments; `declined`: the card was
   * declined and another may be tried.
   */
  confirm(link: Row, purchase: MountedRecord, request_id: string): Promise<Confirmation>;
}

export function createCheckouts(services: Services, behaviours: Behaviours): Checkouts {
  const { db, timelines } = services;
  const timeOf = (link: Row) => timelines.of(scopeOf(link)).clock.now();
  const create = createRecordCreator(services, behaviours);
  const confirmationLimiter = createLimiter({ total: CONFIRMING });
  const contextOf = (link: Row, request_id: string) =>
    createOwnContext(services, scopeOf(link), request_id);
  return {
    async begin(link, payer, request_id) {
      if (availabilityOf(link, timeOf(link)) !== 'open') return undefined;
      const ctx = {
        ...(await contextOf(link, request_id)),
        idempotency_key: purchaseIdempotencyKey(link, payer),
      };
      if (findClosedReason(services, ctx.scope, ctx.settings)) return undefined;
      const customer =
        'customer' in payer ? payer.customer : await create(ctx, 'customers', detailsOf(payer), {});
      const id = link.id as string;
      return create(ctx, purchaseType(link), purchaseOf(link, referenceOf(link, payer)), {
        payer: customer,
        payment_link: id,
      });
    },
    findBegun: (link, payer) => {
      const { purchase_reference } = purchaseOf(link, referenceOf(link, payer));
      return findOpenPurchase(db, purchaseType(link), rowKeyOf(link), purchase_reference);
    },
    async findPurchase(link, id) {
      const table = purchaseType(link);
      const row = await findRow(db, table, scopeOf(link), id);
      return row && row.payment_link_id === link.id ? { table, row } : undefined;
    },
    async confirm(link, { table, row }, request_id) {
      const begun_at = microsOf(row.created_at as string);
      if (!mayComplete(link, begun_at, timeOf(link))) return 'gone';
      const payment = { scope: scopeOf(row), payment_id: row.id as string };
      const { status } = await readPaymentStatus(services, payment);
      // Not confirmed again here: the card form resets a failed payment and counts card attempts.
      if (status === 'failed') return 'declined';
      const ctx = await contextOf(link, request_id);
      if (findClosedReason(services, ctx.scope, ctx.settings)) return 'gone';
      const confirmRow = () => confirmOnce(behaviours[table], ctx, row.id as string);
      if (link.uses_max == null) return confirmRow();
      return confirmationLimiter.run(
        () =>
          db.transaction(async (tx) =>
            (await countUse(tx, rowKeyOf(link))) ? confirmRow() : 'gone',
          ),
        link.merchant_id as string,
      );
    },
  };
}

/** Availability of a link for payers. Payments in progress count as uses. */
export async function availabilityNow(
  { db, timelines }: Services,
  link: Row,
  purchase?: MountedRecord,
): Promise<Availability> {
  const now = timelines.of(scopeOf(link)).clock.now();
  const isOpen = purchase
    ? mayComplete(link, microsOf(purchase.row.created_at as string), now)
    : availabilityOf(link, now) === 'open';
  if (!isOpen) return availabilityOf(link, now);
  const hasUse = link.uses_max == null || (await hasUseLeft(db, rowKeyOf(link)));
  return hasUse ? 'open' : 'used_up';
}

const detailsOf = ({ email, name, locale }: EnteredPayer) => ({ email, name, locale });

/**
 * Payer of a link that belongs to a customer; undefined if payers enter their details. The customer who remains, where a
 * merge has not moved the link yet.
 */
export async function knownPayerOf(
  { db }: Pick<Services, 'db'>,
  link: Row,
): Promise<KnownPayer | undefined> {
  if (!link.customer_id) return undefined;
  const key = { ...scopeOf(link), id: link.customer_id };
  const customer = survivorOf(await findSurvivors(db, [key]), key);
  return { customer, ended: await countEndedPurchases(db, purchaseType(link), rowKeyOf(link)) };
}

/**
 * `open`: accepts a card; `waiting`: confirmed; `paid`: approved at least once, even if refunded or
 * disputed later.
 */
export function progressOf(purchase: MountedRecord): 'open' | 'waiting' | 'paid' {
  const { succeeded_at, last_active_at } = purchase.row;
  if (succeeded_at || last_active_at) return 'paid';
  return isOpen(purchase, {}) ? 'open' : 'waiting';
}

/**
 * Characters of the key's hash in a payment's reference, which distinguish the purchases over one
 * link.
 */
const REFERENCE_LENGTH = 12;
const referenceOf = (link: Row, payer: LinkPayer): string =>
  purchaseIdempotencyKey(link, payer).slice(0, REFERENCE_LENGTH);

/** Finds the link of a page; undefined for an unknown code. */
export const linkOf = (services: Services, code: string): Promise<Row | undefined> =>
  CODE.test(code) ? findLink(services.db, code) : Promise.resolve(undefined);

const CODE = /^[\w-]{22}$/;

/** Reason why the link's merchant takes no payments now; undefined if it takes payments. */
export const closedReasonOf = async (
  services: Services,
  link: Row,
): Promise<ClosedReason | undefined> =>
  findClosedReason(services, scopeOf(link), await findSettings(services.db, scopeOf(link)));

/** Confirms a payment. A second click of the button has the same result as the first. */
async function confirmOnce(
  behaviour: Behaviour | undefined,
  ctx: RequestContext,
  id: string,
): Promise<'confirmed'> {
  try {
    await behaviour?.actions?.confirm?.(ctx, id, { attributes: {}, relationships: {} });
  } catch (error) {
    const isConfirmed =
      error instanceof ProblemError && error.problems.every(({ code }) => code === 'invalid_state');
    if (!isConfirmed) throw error;
  }
  return 'confirmed';
}
