import { problem } from '@florin/contract/errors.ts';
import { candidateIdOf } from '@florin/contract/protocol/processor-accounts.ts';
import { secretNamesOf } from '@florin/contract/protocol/vault.ts';
import { accountSender } from '../../processors/accounts.ts';
import type { AccountProcessor } from '../../processors/port/account-processor.ts';
import type { ProcessorAdapter } from '../../processors/port/define-adapter.ts';
import type { CheckResult } from '../../processors/port/processor.ts';
import { sendMessage } from '../../processors/wire/send-message.ts';
import type { Services } from '../../services.ts';
import { storeInVault, type VaultAccount } from './vault.ts';

export type CheckServices = Pick<Services, 'relay' | 'system_clock'>;

/** Asks the processor whether it accepts the credentials that the vault has under the account's id. */
export async function checkCredentials(
  services: CheckServices,
  account: Pick<VaultAccount, 'id' | 'merchant_id' | 'mode'>,
  { check }: AccountProcessor,
): Promise<CheckResult> {
  const request = check.mapRequest();
  const answer = await sendMessage(services, request, accountSender(account));
  if (answer.outcome === 'not_sent' && answer.why === 'egress_not_allowed')
    return { result: 'not_sent', why: noEgress(request.url) };
  if (answer.outcome === 'not_sent' && answer.detail)
    return { result: 'not_sent', why: `the vault refused it. ${answer.detail.slice(0, -1)}` };
  return check.mapAnswer(answer);
}

const noEgress = (url: string): string =>
  `the vault may not send to ${new URL(url).origin}. Add this origin to VAULT_EGRESS, and start Florin again`;

const FULL_STOP = /\.$/;

/** Reason of a failed check, in a sentence for operators. Undefined if the credentials were accepted. */
export function checkFailure(display_name: string, check: CheckResult): string | undefined {
  switch (check.result) {
    case 'accepted':
      return undefined;
    case 'refused':
      return `${display_name} refused the credentials: ${check.why}.`;
    default:
      return `${display_name} could not be asked: ${check.why.replace(FULL_STOP, '')}.`;
  }
}

interface ChangedCredentials {
  readonly adapter: ProcessorAdapter;
  readonly account: VaultAccount;
  readonly secrets: Readonly<Record<string, string | null>>;
}

/**
 * Checks changed credentials before they replace those in use. New secrets are stored under an id of their own for the
 * check. Throws 422 if the check needs some of its secrets that were not given.
 */
export async function checkChange(
  services: CheckServices,
  { adapter, account, secrets }: ChangedCredentials,
): Promise<CheckResult> {
  const processor = adapter.connect(account);
  const { credentials } = processor.check.mapRequest();
  const needed = credentials ? secretNamesOf(credentials) : [];
  const given = needed.filter((name) => typeof secrets[name] === 'string');
  if (given.length === 0) return checkCredentials(services, account, processor);
  if (given.length < needed.length) throw togetherProblem(needed);
  const candidate = { ...account, id: candidateIdOf(account.id) };
  const candidateSecrets = Object.fromEntries(given.map((name) => [name, secrets[name] as string]));
  await storeInVault(services, adapter, candidate, candidateSecrets);
  try {
    return await checkCredentials(services, candidate, adapter.connect(candidate));
  } finally {
    await services.relay.removeProcessorAccount({ account_id: candidate.id, mode: account.mode });
  }
}

const togetherProblem = (names: readonly string[]) =>
  problem('blank', `secrets must contain ${names.join(' and ')} together.`, {
    pointer: '/secrets',
  });
