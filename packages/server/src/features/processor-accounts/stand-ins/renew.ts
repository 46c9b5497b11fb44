import { ProblemError, problem } from '@florin/contract/errors.ts';
import { versionOf } from '../../../jsonapi/etag.ts';
import type { Row } from '../../../platform/database/row.ts';
import { type AccountActor, type AccountServices, changeAccount, choicesOf } from '../change.ts';
import { standInOf } from './commands.ts';
import type { StandInRequest } from './connect.ts';
import { sendControl } from './control.ts';

/**
 * Gives an account at a stand-in new keys: first there, then in Florin, which checks them. A repeat mends what a crash
 * or a failure in between left. Throws 422 if the account is not at a stand-in, and 412 if it changes meanwhile.
 */
export async function renewStandIn(
  services: AccountServices,
  actor: AccountActor,
  row: Row,
  { simulator_url, florin_url }: Pick<StandInRequest, 'simulator_url' | 'florin_url'>,
): Promise<void> {
  if (row.status === 'removed') throw problem('invalid_state', 'The account is removed.');
  const { standIn, url } = await standInOf(row, simulator_url);
  const draft = standIn.draft(JSON.parse(row.settings as string));
  const id = row.id as string;
  await sendControl(url, 'PUT', {
    path: `/accounts/${draft.account}`,
    body: { ...draft.account_settings, webhook_url: `${florin_url}/notifications/${id}` },
  });
  const change = { ...choicesOf(row), settings: draft.settings, secrets: draft.secrets };
  const version = new Set([versionOf(row) as string]);
  await changeAccount(services, actor, id, change, version).catch(rethrowWithRepeat);
}

function rethrowWithRepeat(error: unknown): never {
  if (!(error instanceof ProblemError)) throw error;
  const repeat = 'Only the stand-in has the new keys. Repeat the command.';
  throw new ProblemError(
    error.problems.map((one) => ({ ...one, detail: `${one.detail} ${repeat}` })),
  );
}
