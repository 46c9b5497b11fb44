import { problem } from '@florin/contract/errors.ts';
import { newRow } from '../../jsonapi/parse-document/rows.ts';
import { inBoth } from '../../platform/database/in-both.ts';
import type { Row } from '../../platform/database/row.ts';
import { insertRows } from '../../platform/database/rows.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { inBothModes } from '../merchants/both-modes.ts';
import { type CreatedId, createdOnce } from '../people/accounts/once.ts';
import type { AccountRequest } from '../people/sql/account-requests.ts';
import type { Account } from '../people/sql/sessions.ts';
import { recordAccountsOf } from '../processor-accounts/sql/merchant-records.ts';
import { countOpened, lockAccount } from './sql/onboarding.ts';

/** Maximum number of merchants that an account can open. */
export const MERCHANTS_OPENED_MAX = 20;

/**
 * Opens a merchant for an account with all permissions. The sandbox is active immediately, live
 * mode after approval. A repeated request returns the same merchant.
 */
export async function openMerchant(
  {
    db,
    global,
    directory,
    catalog,
    models,
    system_clock,
  }: Pick<Services, 'db' | 'global' | 'directory' | 'catalog' | 'models' | 'system_clock'>,
  account: Account,
  business_name: string,
  request: AccountRequest | undefined,
): Promise<CreatedId> {
  const now = system_clock.now();
  const merchant_id = uuidv7(now);
  const at = instantText(now);
  const ownColumns = { merchant_id, id: uuidv7(now), created_at: at, updated_at: at };
  const scope = { merchant_id, mode: 'sandbox' } as const;
  const attributes = { business_name, business_email: account.email };
  const input = { attributes, relationships: { account: account.id } };
  const merchant = inBothModes({
    ...newRow(models.get('merchants'), input, { id: merchant_id, scope, now }),
    threeds_live: 'when_available',
    threeds_sandbox: 'when_available',
  });
  const membership: Row = {
    ...ownColumns,
    account_id: account.id,
    email: account.email,
    opener: 'true',
    permissions: '[]',
    accepted_at: at,
  };
  const processor: Row = {
    ...ownColumns,
    mode: 'sandbox',
    kind: 'sandbox',
    onboarding_state: 'approved',
    processing_state: 'enabled',
  };
  return inBoth({ db, global }, async ({ cell: tx, global: people }) => {
    await lockAccount(people, account.id);
    return createdOnce(tx, request, merchant_id, async () => {
      if ((await countOpened(tx, account.id)) >= MERCHANTS_OPENED_MAX) throw tooMany();
      await directory?.enterMerchant(people, merchant_id);
      await insertRows(tx, catalog, 'merchants', [merchant]);
      await insertRows(tx, catalog, 'memberships', [membership]);
      await insertRows(tx, catalog, 'processor_details', [processor]);
      await recordAccountsOf(tx, merchant_id, now);
    });
  });
}

const tooMany = () =>
  problem('limit_reached', `An account can open at most ${MERCHANTS_OPENED_MAX} businesses.`, {
    pointer: '/business_name',
  });
