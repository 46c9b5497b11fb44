import type { ProcessorAccount } from '../../processors/accounts.ts';
import type { Services } from '../../services.ts';

export type PublishServices = Pick<Services, 'accounts' | 'relay' | 'logger'>;

/** Sends egress rules and merchants of accounts to the vault at its start, as after an upgrade, and when they change. */
export interface RulesPublisher {
  /** Never throws. Rules that the vault did not take are sent again by the next call. */
  publish(): Promise<void>;
}

export function createRulesPublisher(services: PublishServices): RulesPublisher {
  /** Merchants and rules that the vault has, as JSON by account. */
  const published = new Map<string, string>();
  let isAway = false;
  return {
    async publish() {
      try {
        for (const account of services.accounts.all())
          await publishRules(services, published, account);
        isAway = false;
      } catch (err) {
        if (!isAway) services.logger.warn({ err }, 'egress rules wait for the vault');
        isAway = true;
      }
    },
  };
}

async function publishRules(
  { relay, logger }: PublishServices,
  published: Map<string, string>,
  { id: account_id, merchant_id, mode, processor, status }: ProcessorAccount,
): Promise<void> {
  const { egress } = processor;
  const text = JSON.stringify([merchant_id, egress]);
  const hasLimits = egress !== undefined || merchant_id !== null;
  if (!hasLimits || status === 'removed' || published.get(account_id) === text) return;
  const answer = await relay.storeEgressRules({
    account_id,
    mode,
    merchant_id,
    ...(egress && { egress }),
  });
  // A vault of an earlier release drops what it does not know: once it is upgraded, it gets all of it.
  if ('error' in answer || answer.merchant_id !== undefined) published.set(account_id, text);
  if ('error' in answer)
    logger.error(
      { processor_account: account_id, detail: answer.detail },
      'egress rules refused by the vault: the rules before stay',
    );
}
