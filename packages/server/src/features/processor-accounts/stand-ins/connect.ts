import { problem } from '@florin/contract/errors.ts';
import {
  type AccountActor,
  type AccountServices,
  createAccount,
  enableAccount,
} from '../change.ts';
import { removeAccount } from '../remove.ts';
import { type StandInDraft, standIns } from './stand-ins.ts';

/** Longest wait for the simulator, in milliseconds. */
const TIMEOUT_MS = 5_000;

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
  const standIn = Object.hasOwn(standIns, processor) ? standIns[processor] : undefined;
  if (!standIn) throw noStandIn();
  const api_url = simulator_url + standIn.path;
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
    await openAccount(api_url, draft, `${florin_url}/notifications/${id}`);
    await enableAccount(services, actor, id);
  } catch (error) {
    await removeAccount(services, actor, id);
    throw error;
  }
  return { id, name: account_name };
}

/** Creates the account at the stand-in. */
async function openAccount(
  api_url: string,
  { account, account_settings }: StandInDraft,
  webhook_url: string,
): Promise<void> {
  const response = await fetch(`${api_url}/control/accounts/${account}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...account_settings, webhook_url }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined);
  if (response?.ok) return;
  throw problem(
    'invalid',
    `The simulated card network does not answer at ${api_url}, so that no account was added. Start Florin with npm start, and repeat the command.`,
  );
}

const noStandIn = () =>
  problem(
    'not_in_list',
    `processor must be one that the simulated card network has a stand-in of: ${Object.keys(standIns).join(', ')}.`,
    { pointer: '/processor' },
  );
