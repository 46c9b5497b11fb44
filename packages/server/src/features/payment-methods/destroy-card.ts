import type { Relay } from '../../processors/relay.ts';

export type CardRequest = Parameters<Relay['destroy']>[0];

/** Has the vault destroy a card; one that is gone already is none to destroy. Throws where it could not. */
export async function destroyCard(
  relay: Pick<Relay, 'destroy'>,
  { merchant_id, mode, card_pan_token }: CardRequest,
): Promise<void> {
  const answer = await relay.destroy({ merchant_id, mode, card_pan_token });
  if ('error' in answer && answer.error !== 'unknown_token') throw new Error(answer.detail);
}
