import { disputeEnds, type StandInCommand } from '@florin/contract/protocol/processor-command.ts';
import { secondsOf } from '../../kernel/duration.ts';
import { PlainFailure } from '../../kernel/plain-failure.ts';
import type { Addresses } from '../addresses.ts';

const CLI = 'npm run florin -- processors';

export const STAND_INS_HELP = `At a stand-in of the simulated card network, which \`try\` connects:
       ${CLI} faults PROCESSOR FAULTS
           makes the stand-in fail. FAULTS, of messages and of notifications:
             --lose-answers N                 does the next N messages, and loses their answers
             --hang DURATION                  answers so much later, for so long
             --refuse-connections DURATION    lets no message through
             --decline CODE [--times N]       declines the next payment, or N, such as insufficient_funds
             --lose-notifications N           never sends the next N
             --double-notifications N         sends the next N twice
             --delay-notifications DURATION [--times N]
             --wrong-signatures N             signs the next N with a wrong key
       ${CLI} faults PROCESSOR --clear
           ends all faults
       ${CLI} faults ACCOUNT --refuse-key
           refuses the account's key, until \`try --renew\` gives a new one or --clear ends all faults
       ${CLI} try-dispute PAYMENT
           the payer disputes the payment
       ${CLI} try-dispute DISPUTE --end won|lost|second-chargeback
           the bank decides; a second chargeback takes back a won dispute
       ${CLI} settle ACCOUNT [--unclear]
           writes a settlement report of all payments, refunds and disputes that no report has; --unclear adds a row
           that Florin does not know`;

/** Options of the commands to stand-ins. */
export const standInOptions = {
  'lose-answers': { type: 'string' },
  hang: { type: 'string' },
  'refuse-connections': { type: 'string' },
  decline: { type: 'string' },
  'lose-notifications': { type: 'string' },
  'double-notifications': { type: 'string' },
  'delay-notifications': { type: 'string' },
  'wrong-signatures': { type: 'string' },
  'refuse-key': { type: 'boolean' },
  times: { type: 'string' },
  clear: { type: 'boolean' },
  end: { type: 'string' },
  unclear: { type: 'boolean' },
  renew: { type: 'string' },
} as const;

type Options = {
  readonly [Name in keyof typeof standInOptions]?:
    | ((typeof standInOptions)[Name]['type'] extends 'string' ? string : boolean)
    | undefined;
};

const FAULTS = [
  'lose-answers',
  'hang',
  'refuse-connections',
  'decline',
  'lose-notifications',
  'double-notifications',
  'delay-notifications',
  'wrong-signatures',
] as const;

/** The command `faults`: of a processor, or of an account for `--refuse-key`. Throws `PlainFailure` that names a wrong option. */
export function faultsCommand(
  name: string,
  options: Options,
  addresses: Addresses,
): StandInCommand {
  if (options['refuse-key']) return refuseKeyCommand(name, options, addresses);
  const processor = name;
  if (options.clear) return { command: 'clear_faults', processor, ...addresses };
  if (FAULTS.every((name) => options[name] === undefined))
    throw new PlainFailure(
      `faults needs a fault or --clear, such as --lose-answers 1.\nAll faults: ${CLI} --help`,
    );
  const { decline, times = '1' } = options;
  const faults = {
    ...countOf(options, 'lose-answers', 'lose_answers'),
    ...durationOf(options, 'hang', 'hang_ms'),
    ...durationOf(options, 'refuse-connections', 'refuse_connections_ms'),
    ...(decline !== undefined && { decline }),
    ...countOf(options, 'lose-notifications', 'lose_notifications'),
    ...countOf(options, 'double-notifications', 'double_notifications'),
    ...durationOf(options, 'delay-notifications', 'delay_notifications_ms'),
    ...countOf(options, 'wrong-signatures', 'wrong_signatures'),
    times: numberOf('times', times),
  };
  return { command: 'faults', processor, faults, ...addresses };
}

function refuseKeyCommand(account: string, options: Options, addresses: Addresses): StandInCommand {
  const others = [...FAULTS, 'clear', 'times'] as const;
  if (others.every((name) => options[name] === undefined))
    return { command: 'refuse_key', account, mode: 'sandbox', ...addresses };
  throw new PlainFailure(
    '--refuse-key is of one account. Give other faults in a command of their own.',
  );
}

/** The command `try-dispute`: opens one, or ends it. Throws `PlainFailure` for another end. */
export function disputeCommand(id: string, { end }: Options, addresses: Addresses): StandInCommand {
  if (end === undefined) return { command: 'open_dispute', payment: id, ...addresses };
  const known = disputeEnds.find((each) => each.replace('_', '-') === end);
  if (known) return { command: 'end_dispute', dispute: id, end: known, ...addresses };
  throw new PlainFailure(`--end must be won, lost or second-chargeback; it is ${end}.`);
}

type Name = (typeof FAULTS)[number];

function countOf(options: Options, name: Name, member: string): Record<string, number> {
  const text = options[name];
  return text === undefined ? {} : { [member]: numberOf(name, text) };
}

function numberOf(name: string, text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new PlainFailure(`--${name} must be a number, such as 1; it is ${text}.`);
}

function durationOf(options: Options, name: Name, member: string): Record<string, number> {
  const text = options[name];
  if (text === undefined) return {};
  const seconds = secondsOf(text);
  if (seconds !== undefined) return { [member]: seconds * 1_000 };
  throw new PlainFailure(`--${name} must be a duration such as 30s or 5m; it is ${text}.`);
}
