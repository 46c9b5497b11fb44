import type { StandInFaults } from '@florin/contract/protocol/processor-command.ts';
import type { ProcessorMetadata } from '../../../processors/port/metadata.ts';

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? one : many.replace('N', String(count));

const SECOND_MS = 1_000;

/** Says what a stand-in is going to do wrong, and how Florin takes it. */
export function describeFaults(
  { display_name, recovery }: Pick<ProcessorMetadata, 'display_name' | 'recovery'>,
  faults: StandInFaults,
  hasNotifications: boolean,
): string {
  const { lose_answers, hang_ms, refuse_connections_ms, decline, times } = faults;
  const { lose_notifications, double_notifications, delay_notifications_ms } = faults;
  const { wrong_signatures } = faults;
  const ways = [
    ...(recovery.strategy === 'cancel' ? [] : ['Florin asks again']),
    ...(hasNotifications ? ['a notification arrives'] : []),
  ];
  const unknown = `The outcome is unknown until ${ways.join(' or ')}.`;
  const seconds = (ms: number) => `${ms / SECOND_MS} s`;
  const lines = [
    lose_answers &&
      `${counted(lose_answers, 'The next message is done, and its answer is lost.', 'The next N messages are done, and their answers are lost.')} ${unknown}`,
    hang_ms &&
      `For ${seconds(hang_ms)}, messages are done at once, and answered ${seconds(hang_ms)} later. ${unknown}`,
    refuse_connections_ms &&
      `For ${seconds(refuse_connections_ms)}, connections are refused. Nothing is sent: a rule asks its second account, unless its fallback is none.`,
    decline &&
      `${counted(times, 'The next payment is', 'The next N payments are')} declined: ${decline}. A rule with the fallback declined asks its second account where the advice and the payer allow it.`,
    lose_notifications &&
      `${counted(lose_notifications, 'The next notification is', 'The next N notifications are')} never sent.`,
    double_notifications &&
      `${counted(double_notifications, 'The next notification is', 'The next N notifications are')} sent twice. Florin stores each once.`,
    delay_notifications_ms &&
      `${counted(times, 'The next notification is', 'The next N notifications are')} sent ${seconds(delay_notifications_ms)} later.`,
    wrong_signatures &&
      `${counted(wrong_signatures, 'The next notification is', 'The next N notifications are')} signed with a wrong key. Florin refuses each, and counts it at the account.`,
  ].filter(Boolean);
  return [`Faults of the stand-in of ${display_name}:`, ...lines.map((line) => `- ${line}`)].join(
    '\n',
  );
}
