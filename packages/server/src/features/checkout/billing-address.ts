import { ProblemError } from '@florin/contract/errors.ts';
import type { BillingAddress } from '@florin/contract/protocol/frame.ts';
import type { Row } from '../../platform/database/row.ts';
import { findRow } from '../../platform/database/rows.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { checkRegion } from '../customers/regions.ts';
import { paymentUpdater } from '../payments/behaviour.ts';
import { createCreator } from '../records/creator.ts';
import { eventAbout } from '../records/emit.ts';
import { subscriptionUpdater } from '../subscriptions/behaviour.ts';
import { findMounted, isOpen, type MountedRecord } from './mounted.ts';
import type { MountSession } from './session.ts';

/** Stores a form's address on the mounted record. Returns false for an invalid address. */
export type PutBillingAddress = (
  session: MountSession,
  address: BillingAddress,
) => Promise<boolean>;

/**
 * Stores addresses of embedded forms. A form sends its address with each card, so an equal address
 * is not stored again. Confirmed payments and charges of subscriptions keep their address.
 */
export function createBillingAddresses(services: Services): PutBillingAddress {
  const create = createCreator(services, 'consumer_addresses');
  const updaters = {
    payment_demands: paymentUpdater(services),
    payment_subscriptions: subscriptionUpdater(services),
  };
  const isChargeOf = ({ table, row }: MountedRecord): boolean =>
    table === 'payment_demands' && (row.payment_subscription_id ?? null) !== null;

  return async (session, address) => {
    const { scope, payment_id } = session;
    if (!isRegion(address)) return false;
    const mountedRecord = await findMounted(services.db, scope, payment_id);
    if (!mountedRecord || !isOpen(mountedRecord, session) || isChargeOf(mountedRecord)) return true;
    const addressId = mountedRecord.row.billing_address_id as string | null;
    const currentAddress = addressId
      ? await findRow(services.db, 'consumer_addresses', scope, addressId)
      : undefined;
    if (currentAddress && isSameAddress(currentAddress, address)) return true;
    const row = createAddressRow(services, mountedRecord.row, address);
    const model = services.models.get('consumer_addresses');
    const events = [eventAbout(model, row, 'created', services.clock.now())];
    await create({ record: { row, events }, references: [] });
    await updaters[mountedRecord.table]({
      scope,
      id: payment_id,
      decide: (before) =>
        isOpen({ ...mountedRecord, row: before }, session)
          ? { set: { billing_address_id: row.id as string }, events: [] }
          : { set: {}, events: [] },
    });
    services.wake.deliver.raise();
    return true;
  };
}

function isRegion({ country, state }: BillingAddress): boolean {
  try {
    checkRegion({ country, state });
    return true;
  } catch (error) {
    if (error instanceof ProblemError) return false;
    throw error;
  }
}

const isSameAddress = (row: Row, address: BillingAddress): boolean =>
  Object.entries(address).every(([name, value]) => row[name] === value);

function createAddressRow(
  { clock }: Services,
  { merchant_id, mode, payer_id = null }: Row,
  address: BillingAddress,
): Row {
  const now = clock.now();
  const at = instantText(now);
  return {
    merchant_id: merchant_id as string,
    mode: mode as string,
    id: uuidv7(now),
    customer_id: payer_id,
    ...address,
    line_2: null,
    discarded_at: null,
    created_at: at,
    updated_at: at,
  };
}
