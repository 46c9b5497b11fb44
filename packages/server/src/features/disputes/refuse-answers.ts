import { problem } from '@florin/contract/errors.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { findRowsByKey } from '../../platform/database/rows.ts';
import type { Services } from '../../services.ts';
import { processorOfRow } from '../attempts/own-processor.ts';
import type { Refuse } from '../records/updater.ts';
import { readEvidence } from './answer-dispute.ts';
import { accountRemoved, findRemovedAccount } from './removed-account.ts';

/**
 * Refuses answers that the account of a dispute cannot send: it is removed, lacks the ability, or takes other evidence.
 */
export const createAnswerRefusal =
  (services: Services, hasEvidence: boolean): Refuse =>
  async (tx, items) => {
    const keys = items.map(({ scope, id }) => ({ merchant_id: scope.merchant_id, id }));
    const rows = await findRowsByKey(tx, 'disputes', keys);
    const disputes = new Map(rows.map((row) => [keyText(row), row]));
    const errors = await Promise.all(
      items.map(async (item) => {
        const dispute = disputes.get(keyText({ ...item.scope, id: item.id }));
        if (!dispute?.processor_account_id || dispute.status !== 'needs_response') return [];
        const removed = await findRemovedAccount(tx, dispute);
        if (removed !== undefined) return [[item, accountRemoved(removed)] as const];
        const processor = processorOfRow(services, dispute);
        const name = processor?.metadata.display_name ?? 'the processor';
        if (!processor?.answers) return [[item, problem('invalid', notHere(name))] as const];
        const fault = hasEvidence && processor.answers.findFault(await readEvidence(tx, dispute));
        return fault ? [[item, problem('invalid', fault)] as const] : [];
      }),
    );
    return new Map(errors.flat());
  };

const notHere = (name: string): string =>
  `Florin cannot answer this dispute. Answer it in the dashboard of ${name}, or ask the operator to add the address for disputes to the account.`;
