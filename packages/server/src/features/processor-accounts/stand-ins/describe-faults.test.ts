import { expect, it } from 'vitest';
import type { ProcessorMetadata } from '../../../processors/port/metadata.ts';
import { describeFaults } from './describe-faults.ts';

const inquiring = {
  display_name: 'Example',
  recovery: { strategy: 'inquire' },
} as unknown as ProcessorMetadata;
const cancelling = { ...inquiring, recovery: { strategy: 'cancel' } } as ProcessorMetadata;

it.each([
  [inquiring, true, 'until Florin asks again or a notification arrives.'],
  [inquiring, false, 'until Florin asks again.'],
  [cancelling, true, 'until a notification arrives.'],
])('a lost answer says how its outcome becomes known %#', (metadata, hasNotifications, end) => {
  const text = describeFaults(metadata, { lose_answers: 1, times: 1 }, hasNotifications);
  expect(text).toContain('The next message is done, and its answer is lost.');
  expect(text).toContain(end);
});

it('each fault is a line of its own', () => {
  const faults = {
    ...{ lose_answers: 2, hang_ms: 30_000, refuse_connections_ms: 60_000, decline: 'lost_card' },
    ...{ lose_notifications: 1, double_notifications: 3, delay_notifications_ms: 5_000 },
    wrong_signatures: 2,
    times: 4,
  };
  expect(describeFaults(inquiring, faults, true).split('\n')).toEqual([
    'Faults of the stand-in of Example:',
    expect.stringMatching(/^- The next 2 messages are done, and their answers are lost\. /),
    expect.stringMatching(/^- For 30 s, messages are done at once, and answered 30 s later\. /),
    expect.stringMatching(/^- For 60 s, connections are refused\. /),
    expect.stringMatching(/^- The next 4 payments are declined: lost_card\. /),
    '- The next notification is never sent.',
    '- The next 3 notifications are sent twice. Florin stores each once.',
    '- The next 4 notifications are sent 5 s later.',
    expect.stringMatching(/^- The next 2 notifications are signed with a wrong key\. /),
  ]);
});
