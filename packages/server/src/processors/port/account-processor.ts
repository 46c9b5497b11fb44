import type { ProcessorOperation } from './message.ts';
import type { AccountNotifications } from './notifications.ts';
import type { CheckResult, Processor } from './processor.ts';

/** A processor that is reached with the credentials of an account. */
export interface AccountProcessor extends Processor {
  readonly check: ProcessorOperation<void, CheckResult>;
  /** Absent if the processor sends no notifications. */
  readonly notifications?: AccountNotifications;
}
