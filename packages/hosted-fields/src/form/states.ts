import { STATES_URL, type StateName } from '@florin/contract/protocol/frame.ts';
import { bodyOf, call, neverAborted } from '../api.ts';

const LIMIT_MS = 10_000;

/** Codes and names of a country's (alpha-2) states. Empty without a list or an answer. */
export async function statesOf(country: string): Promise<readonly StateName[]> {
  const response = await call(STATES_URL + country, LIMIT_MS, neverAborted);
  return (response?.ok && (await bodyOf<StateName[]>(response))) || [];
}
