import {
  type AccountActor,
  type AccountServices,
  createAccount,
  enableAccount,
} from '../change.ts';
import { removeAccount } from '../remove.ts';
import { requireStandIn, sendControl, standInAddressOf } from './control.ts';

export interface StandInRequest {
  /** Name of the adapter. */
  readonly processor: string;
  /** Name of the account; absent: that of the processor, and "stand-in". */
  readonly name?: string;
  readonly simulator_url: string;
  /** Address at which the stand-in reaches Florin. */
  readonly florin_url: string;
}

/**
 * Connects the sandbox to a stand-in: adds an account with random keys, creates it at the stand-in, and enables it.
 * Returns its id and name. Throws 422 if the processor has no stand-in or the simulator does not answer; no account
 * remains then.
 */
export async function connectStandIn(
  services: AccountServices,
  actor: AccountActor,
  { processor, name, simulator_url, florin_url }: StandInRequest,
): Promise<{ readonly id: string; readonly name: string }> {
  const standIn = requireStandIn(processor);
  const api_url = await standInAddressOf(simulator_url, standIn);
  const account_name = name ?? `${services.adapters[processor]?.metadata.display_name} stand-in`;
  const draft = standIn.draft();
  const id = await createAccount(services, actor, {
    processor,
    mode: 'sandbox',
    merchant_id: null,
    name: account_name,
    currencies: null,
    networks: null,
    descriptor: null,
    settings: {
      api_url,
      ...Object.fromEntries((draft.url_settings ?? []).map((setting) => [setting, api_url])),
      ...draft.settings,
    },
    secrets: draft.secrets,
  });
  try {
    const webhook_url = `${florin_url}/notifications/${id}`;
    await sendControl(simulator_url + standIn.path, 'PUT', {
      path: `/accounts/${draft.account}`,
      body: { ...draft.account_settings, webhook_url },
    });
    await enableAccount(services, actor, id);
  } catch (error) {
    await removeAccount(services, actor, id);
    throw error;
  }
  return { id, name: account_name };
}
