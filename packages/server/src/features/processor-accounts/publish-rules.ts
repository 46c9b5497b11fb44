import type { ProcessorAccount } from '../../processors/accounts.ts';
import type { Services } from '../../services.ts';

export type PublishServices = Pick<Services, 'accounts' | 'relay' | 'logger'>;

/** Sends the egress rules of accounts to the vault where an adapter's rules changed, as after an upgrade. */
export interface RulesPublisher {
  /** Never throws. Rules that the vault did not take are sent again by the next call. */
  publish(): Promise<void>;
}

export function createRulesPublisher(services: PublishServices): RulesPublisher {
  /** Rules that the vault has, as JSON by account. */
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
  { id: account_id, mode, processor, status }: ProcessorAccount,
): Promise<void> {
  const { egress } = processor;
  const text = JSON.stringify(egress);
  if (!egress || status === 'removed' || published.get(account_id) === text) return;
  const answer = await relay.storeEgressRules({ account_id, mode, egress });
  published.set(account_id, text);
  if ('error' in answer)
    logger.error(
      { processor_account: account_id, detail: answer.detail },
      'egress rules refused by the vault: the rules before stay',
    );
}
