import { problem } from '@florin/contract/errors.ts';
import type { AccountSettings } from '../../processors/port/metadata.ts';
import type { Services } from '../../services.ts';

/** Stores secrets of an account in the vault; null removes one. Returns the names of all stored secrets. */
export async function storeInVault(
  { relay }: Pick<Services, 'relay'>,
  { id, mode }: Pick<AccountSettings, 'id' | 'mode'>,
  origins: readonly string[],
  secrets: Readonly<Record<string, string | null>>,
): Promise<readonly string[]> {
  const answer = await relay.storeProcessorAccount({ account_id: id, mode, origins, secrets });
  if ('secrets' in answer) return answer.secrets;
  throw problem('invalid', `The vault refused the secrets: ${answer.detail}`, {
    pointer: '/secrets',
  });
}
