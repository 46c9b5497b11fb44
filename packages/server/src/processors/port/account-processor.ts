import type { EgressRule } from '@florin/contract/protocol/processor-accounts.ts';
import type { ProcessorOperation } from './message.ts';
import type { AccountNotifications } from './notifications.ts';
import type { CheckResult, KeyReader, Processor } from './processor.ts';
import type { AccountReports } from './reports/reports.ts';

/** A processor that is reached with the credentials of an account. */
export interface AccountProcessor extends Processor {
  readonly check: ProcessorOperation<void, CheckResult>;
  /** Absent if a 2xx status shows that the processor accepts the account's key. */
  readonly readKey?: KeyReader;
  /** Messages that the vault lets the account send; absent: any to its origins, in production none with a card. */
  readonly egress?: readonly EgressRule[];
  /** Absent if the processor sends no notifications. */
  readonly notifications?: AccountNotifications;
  /** Absent if the processor has no settlement reports that Florin reads. */
  readonly reports?: AccountReports;
}
