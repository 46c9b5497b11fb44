import { problem } from '@florin/contract/errors.ts';
import type { ProcessorAdapter } from '../../processors/port/define-adapter.ts';
import type { AccountSettings } from '../../processors/port/metadata.ts';
import type { Services } from '../../services.ts';

/** An account, as the vault stores it. */
export interface VaultAccount extends AccountSettings {
  /** Null: every merchant may use the account. */
  readonly merchant_id: string | null;
}

/** Stores addresses, merchant, rules and secrets of an account in the vault; null removes one. Returns the names of all stored secrets. */
export async function storeInVault(
  { relay }: Pick<Services, 'relay'>,
  adapter: Pick<ProcessorAdapter, 'origins' | 'egress'>,
  account: VaultAccount,
  secrets: Readonly<Record<string, string | null>>,
): Promise<readonly string[]> {
  const answer = await relay.storeProcessorAccount({
    account_id: account.id,
    mode: account.mode,
    merchant_id: account.merchant_id,
    origins: adapter.origins(account),
    ...(adapter.egress && { egress: adapter.egress(account) }),
    secrets,
  });
  if ('secrets' in answer) return answer.secrets;
  throw problem('invalid', `The vault refused the secrets: ${answer.detail}`, {
    pointer: '/secrets',
  });
}
