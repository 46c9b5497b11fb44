import type { Db } from '../platform/database/db.ts';
import type { Scope } from '../platform/database/scope.ts';
import type { AccountProcessor } from './port/account-processor.ts';
import type { RoutingRule } from './routing-rule.ts';

/** An account at a payment processor, ready for use. */
export interface ProcessorAccount {
  readonly id: string;
  /** Null: every merchant may use the account. */
  readonly merchant_id: string | null;
  readonly mode: Scope['mode'];
  readonly name: string;
  readonly status: 'untested' | 'enabled' | 'paused' | 'removed';
  readonly processor: AccountProcessor;
  /** Null: all that the processor takes. */
  readonly currencies: readonly string[] | null;
  readonly networks: readonly string[] | null;
  /** Text on payers' statements; null: the processor's default. */
  readonly descriptor: string | null;
}

/** Scope of messages that are about an account itself. The vault sends those of its merchant only. */
export const accountSender = ({
  id,
  merchant_id,
  mode,
}: Pick<ProcessorAccount, 'id' | 'merchant_id' | 'mode'>): Scope => ({
  merchant_id: merchant_id ?? id,
  mode,
});

/** The accounts of the installation. A copy in memory, about one poll behind the database. */
export interface ProcessorAccounts {
  /** Finds an account in any state, since its open attempts keep it. */
  find(id: string): ProcessorAccount | undefined;
  /** Accounts in any state. */
  all(): readonly ProcessorAccount[];
  /** Accounts that may take new payments of a merchant and mode, the merchant's own first. */
  enabledFor(scope: Scope): readonly ProcessorAccount[];
  /** Rules for the payments of a merchant and mode, in order. */
  rulesFor(scope: Scope): readonly RoutingRule[];
  /** Reads the accounts from the database again. */
  refresh(): Promise<void>;
  /**
   * Reads them again if the copy is older than `ROUTING_LIFE_MS`: in the caller's transaction, and otherwise together with
   * other callers. Route in the same turn of the event loop.
   */
  requireFresh(tx?: Db): Promise<void>;
}
