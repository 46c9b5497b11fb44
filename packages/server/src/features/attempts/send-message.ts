import type { Row } from '../../platform/database/row.ts';
import { scopeOf } from '../../platform/database/scope.ts';
import type { AccountKeys } from '../../processors/account-keys.ts';
import type { WireAnswer, WireRequest } from '../../processors/port/message.ts';
import {
  type MessageSender,
  type SendOptions,
  sendMessage,
} from '../../processors/wire/send-message.ts';

export interface AttemptSender extends MessageSender {
  readonly account_keys: Pick<AccountKeys, 'observe'>;
}

/** Sends a message without a card about an attempt, and observes whether its account's key is refused. Never throws. */
export async function sendAboutAttempt(
  services: AttemptSender,
  attempt: Row,
  request: WireRequest,
  options: Pick<SendOptions, 'leaves_within_ms'> = {},
): Promise<WireAnswer> {
  const answer = await sendMessage(services, request, { ...scopeOf(attempt), ...options });
  const { processor_account_id } = attempt;
  if (processor_account_id)
    services.account_keys.observe(processor_account_id, answer, 'follow_up');
  return answer;
}
