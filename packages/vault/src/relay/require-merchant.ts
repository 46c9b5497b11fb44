import type { RelayRequest } from '@florin/contract/protocol/vault.ts';
import type { AccountRow } from '../processor-accounts/account-store.ts';
import { RelayRefusal } from './refusal.ts';

/** Throws `account_of_another_merchant`, also for a message without a card: its login may charge stored cards. */
export function requireMerchant(
  { account_id, merchant_id }: Pick<AccountRow, 'account_id' | 'merchant_id'>,
  request: Pick<RelayRequest, 'merchant_id'>,
): void {
  if (merchant_id !== null && merchant_id !== request.merchant_id)
    throw new RelayRefusal(
      'account_of_another_merchant',
      `The account ${account_id} is for messages of another merchant only.`,
    );
}
