import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createFileReader } from '../../kernel/read-file.ts';
import { parseProcessorsCommand } from './processors.ts';

const addresses = { simulator_url: 'http://127.0.0.1:4100', florin_url: 'http://localhost:4000' };

const parse = (words: string, input = 'from standard input\n') =>
  parseProcessorsCommand(
    words.split(' '),
    createFileReader(Readable.from([Buffer.from(input)])),
    () => addresses,
  );

describe('florin processors', () => {
  it.each([
    [
      'reports --show 0190 --acknowledge 12 --reason Known',
      { command: 'acknowledge_row', id: '0190', line: 12, note: 'Known' },
    ],
    ['show EU', { command: 'show', account: 'EU' }],
    ['pause EU --dry-run', { command: 'pause', account: 'EU', dry_run: true }],
    ['disputes', { command: 'disputes' }],
    ['disputes EU --mode live', { command: 'disputes', name: { account: 'EU', mode: 'live' } }],
    [
      'close-dispute 0190 --outcome accepted --reason Seen',
      { command: 'close_dispute', id: '0190', outcome: 'accepted', reason: 'Seen' },
    ],
  ])('reads %s', async (words, command) => {
    expect(await parse(words)).toEqual(command);
  });

  it.each([
    ['close-dispute --outcome won --reason Seen', 'close-dispute needs a dispute'],
    ['reports --show 0190 --acknowledge x --reason Known', '--acknowledge must be the number'],
    ['try adyen --dry-run', 'try has no --dry-run.'],
    ['reports --dry-run', 'reports has no --dry-run.'],
    ['close-dispute 0190 --reason Seen', '--outcome must be won, lost, accepted.'],
    ['close-dispute 0190 --outcome won', '--reason is missing: add a text'],
  ])('refuses %s', async (words, why) => {
    await expect(parse(words)).rejects.toThrow(why);
  });

  it('reads secrets from files, and takes an empty value as removed', async () => {
    const words =
      'change EU --mode live --set city=Paris --set prefix= --secret key=- --secret old= --currencies EUR,USD --networks=';
    expect(await parse(words)).toEqual({
      command: 'change',
      account: 'EU',
      mode: 'live',
      change: {
        currencies: ['EUR', 'USD'],
        networks: null,
        settings: { city: 'Paris', prefix: null },
        secrets: { key: 'from standard input', old: null },
      },
    });
  });

  it('reads where Florin and its simulated card network are', async () => {
    const command = { command: 'try', processor: 'adyen', ...addresses };
    expect(await parse('try adyen')).toEqual(command);
    expect(await parse('try adyen --name=A')).toEqual({ ...command, name: 'A' });
    const renewal = { command: 'renew', account: 'EU', mode: 'sandbox', ...addresses };
    expect(await parse('try --renew EU')).toEqual(renewal);
    await expect(parse('try adyen --renew EU')).rejects.toThrow('too many words');
    await expect(parse('try')).rejects.toThrow('try needs a processor');
  });

  it('removes an account with refundable payments only where that is said', async () => {
    const command = { command: 'remove', account: 'EU' };
    expect(await parse('remove EU')).toEqual({ ...command, give_up_refunds: false });
    const words = 'remove EU --mode live --give-up-refunds';
    expect(await parse(words)).toEqual({ ...command, mode: 'live', give_up_refunds: true });
  });

  it('reads rules as JSON, and facts of a payment as words', async () => {
    expect(await parse('route --mode live --file -', '[]')).toEqual({
      command: 'route',
      mode: 'live',
      rules: [],
    });
    expect(await parse('route --mode sandbox --preview currency=EUR amount=1000')).toEqual({
      command: 'preview',
      mode: 'sandbox',
      facts: { currency: 'EUR', amount: 1000 },
    });
  });

  it('reads commands about settlement reports', async () => {
    const name = { account: 'EU', mode: 'live' };
    expect(await parse('reports')).toEqual({ command: 'reports' });
    expect(await parse('reports EU --mode live')).toEqual({ command: 'reports', name });
    expect(await parse('reports EU --mode live --retry')).toEqual({
      command: 'retry_reports',
      ...name,
    });
    expect(await parse('reports --show 7')).toEqual({ command: 'show_report', id: '7' });
    expect(await parse(`reports EU --mode live --file ${import.meta.filename}`)).toEqual({
      command: 'import_report',
      ...name,
      report: 'processors.test.ts',
      content: expect.stringContaining('reads commands about settlement reports'),
    });
  });

  it('reads faults of a stand-in, disputes and settlements', async () => {
    const faults =
      'faults adyen --lose-answers 2 --hang 30s --decline lost_card --wrong-signatures 1 --times 3';
    expect(await parse(faults)).toEqual({
      command: 'faults',
      processor: 'adyen',
      faults: {
        ...{ lose_answers: 2, hang_ms: 30_000, decline: 'lost_card' },
        ...{ wrong_signatures: 1, times: 3 },
      },
      ...addresses,
    });
    const cleared = { command: 'clear_faults', processor: 'adyen', ...addresses };
    expect(await parse('faults adyen --clear')).toEqual(cleared);
    const refused = { command: 'refuse_key', account: 'EU', mode: 'sandbox', ...addresses };
    expect(await parse('faults EU --refuse-key')).toEqual(refused);
    const opened = { command: 'open_dispute', payment: '7', ...addresses };
    expect(await parse('try-dispute 7')).toEqual(opened);
    const ended = { command: 'end_dispute', dispute: '7', end: 'lost', ...addresses };
    expect(await parse('try-dispute 7 --end lost')).toEqual(ended);
    expect(await parse('settle EU --unclear')).toEqual({
      command: 'settle_stand_in',
      account: 'EU',
      mode: 'sandbox',
      with_unclear_row: true,
      simulator_url: addresses.simulator_url,
    });
  });

  it.each([
    ['faults', 'faults needs a processor'],
    ['faults adyen', 'such as --lose-answers 1'],
    ['faults EU --refuse-key --lose-answers 1', '--refuse-key is of one account.'],
    ['faults adyen --lose-answers one', '--lose-answers must be a number, such as 1; it is one.'],
    ['faults adyen --hang 30', '--hang must be a duration such as 30s or 5m; it is 30.'],
    ['try-dispute', 'try-dispute needs the id of a payment or of a dispute.'],
    ['try-dispute 7 --end drawn', '--end must be won, lost or second-chargeback; it is drawn.'],
    ['settle', 'settle needs an account. List the accounts'],
    ['reports --retry', 'reports needs an account. List the accounts'],
    ['reports EU --file -', '--file needs the path of the report'],
    ['refund EU', 'processors does not know refund.'],
    ['add', 'add needs a processor. List the processors'],
    ['add checkout_com --name EU', '--mode is missing'],
    ['check', 'check needs an account. List the accounts'],
    ['check EU --mode test', '--mode must be live or sandbox; it is test.'],
    ['check my account', 'Quote a name with spaces.'],
    ['list --colour', "Unknown option '--colour'"],
    ['change EU --set city', '--set needs FIELD=VALUE.'],
    ['change EU --secret key=- --secret other=-', '--secret other: standard input holds one file'],
    ['change EU --secret key=/no/such/file', '--secret key: the file cannot be read (ENOENT)'],
    ['route --mode live --file -', '--file - is no JSON'],
    ['route --mode live EUR', 'too many words'],
  ])('%s is refused: %s', async (words, message) => {
    await expect(parse(words)).rejects.toThrow(message);
  });

  it('repeats no secret that somebody gives instead of a file, and no large file', async () => {
    const refusal = parse('change EU --secret key=sk_sbox_abcdefgh');
    await expect(refusal).rejects.not.toThrow('abcdefgh');
    const large = 'x'.repeat(1024 ** 2 + 1);
    await expect(parse('change EU --secret key=-', large)).rejects.toThrow('above 1 MiB');
    await expect(parse('change EU --secret key=-', '')).rejects.toThrow('the file is empty');
  });
});
