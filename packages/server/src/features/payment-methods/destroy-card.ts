import type { Relay } from '../../processors/wire/relay.ts';

export type CardDestruction = Parameters<Relay['destroy']>[0];

/** Destroys a card in the vault; succeeds if it is already destroyed. Throws if the vault fails. */
export async function destroyCard(
  relay: Pick<Relay, 'destroy'>,
  { merchant_id, mode, card_pan_token }: CardDestruction,
): Promise<void> {
  const answer = await relay.destroy({ merchant_id, mode, card_pan_token });
  if ('error' in answer && answer.error !== 'unknown_token') throw new Error(answer.detail);
}
