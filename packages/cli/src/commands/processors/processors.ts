import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type ClosingOutcome,
  closingOutcomes,
  type DisputeCommand,
  type DryRunFlag,
  type ProcessorCommand,
  type ReportCommand,
  type StandInCommand,
} from '@florin/contract/protocol/processor-command.ts';
import type { Mode } from '@florin/contract/protocol/vault.ts';
import { PlainFailure } from '../../kernel/plain-failure.ts';
import { createFileReader, type FileReader } from '../../kernel/read-file.ts';
import { type Addresses, addressesOf } from '../addresses.ts';
import { type AtDatabaseOptions, atDatabase } from '../at-database.ts';
import { PROCESSORS_CLI as CLI, PROCESSORS_HELP } from './help.ts';
import { disputeCommand, faultsCommand, standInOptions } from './stand-ins.ts';

/** Lists, connects and routes accounts at processors. Resolves with the exit code. */
export async function processors(words: string[], options: AtDatabaseOptions): Promise<number> {
  if (words.includes('--help')) {
    options.print(PROCESSORS_HELP);
    return 0;
  }
  const addresses = () => addressesOf(options.settings);
  const command = await parseProcessorsCommand(words, createFileReader(), addresses);
  return atDatabase(options, 'processors.ts', { input: JSON.stringify(command), vault: true });
}

type Command = ProcessorCommand | ReportCommand | DisputeCommand | StandInCommand;

/** Commands that change accounts, rules, reports or disputes. */
const WITH_DRY_RUN: ReadonlySet<Command['command']> = new Set([
  'add',
  'change',
  'check',
  'enable',
  'pause',
  'remove',
  'route',
  'acknowledge_row',
  'import_report',
  'retry_reports',
  'close_dispute',
]);

/** Parses a command, and reads the files that it names. Throws `PlainFailure` for wrong words and unreadable files. */
export async function parseProcessorsCommand(
  words: string[],
  read: FileReader,
  addresses: () => Addresses,
): Promise<Command & DryRunFlag> {
  const { values, positionals } = parse(words);
  const command = await commandOf(values, positionals, read, addresses);
  if (!values['dry-run']) return command;
  if (WITH_DRY_RUN.has(command.command)) return { ...command, dry_run: true };
  throw usageError(`${positionals[0]} has no --dry-run. Leave it out.`);
}

async function commandOf(
  values: Values,
  positionals: readonly string[],
  read: FileReader,
  addresses: () => Addresses,
): Promise<Command> {
  const [verb = '', name = '', ...rest] = positionals;
  const mode = modeOf(values.mode);
  switch (verb) {
    case 'list':
      requireNone(name);
      if (values.kinds) return { command: 'kinds' };
      return { command: 'list', ...(mode && { mode }), with_removed: values.removed === true };
    case 'add':
      requireNone(...rest);
      return { command: 'add', draft: await draftOf(name, values, read) };
    case 'try':
      requireNone(...rest);
      return tryCommand(name, values, addresses);
    case 'change':
      requireNone(...rest);
      requireAccount(verb, name);
      return {
        command: 'change',
        account: name,
        ...(mode && { mode }),
        change: await choicesOf(values, read),
      };
    case 'show':
    case 'check':
    case 'enable':
    case 'pause':
    case 'remove': {
      requireNone(...rest);
      requireAccount(verb, name);
      const account = { account: name, ...(mode && { mode }) };
      if (verb !== 'remove') return { command: verb, ...account };
      const give_up_refunds = values['give-up-refunds'] === true;
      return { command: verb, ...account, give_up_refunds };
    }
    case 'faults':
    case 'try-dispute':
    case 'settle':
      requireNone(...rest);
      return standInCommand(verb, name, values, addresses());
    case 'reports':
      requireNone(...rest);
      return reportsCommand(name, mode, values, read);
    case 'disputes':
      requireNone(...rest);
      return {
        command: 'disputes',
        ...(name && { name: { account: name, ...(mode && { mode }) } }),
      };
    case 'close-dispute':
      requireNone(...rest);
      return closeDisputeCommand(name, values);
    case 'route':
      return routeCommand(requireMode(mode), [name, ...rest].filter(Boolean), values, read);
    default:
      throw usageError(verb ? `processors does not know ${verb}.` : 'processors needs a command.');
  }
}

function tryCommand(
  processor: string,
  { name, renew }: Values,
  addresses: () => Addresses,
): ProcessorCommand {
  if (renew !== undefined) {
    requireNone(processor, name ?? '');
    requireAccount('try --renew', renew);
    return { command: 'renew', account: renew, mode: 'sandbox', ...addresses() };
  }
  requireProcessor('try', processor);
  return { command: 'try', processor, ...(name !== undefined && { name }), ...addresses() };
}

function standInCommand(
  verb: 'faults' | 'try-dispute' | 'settle',
  name: string,
  values: Values,
  addresses: Addresses,
): ReportCommand | StandInCommand {
  if (verb === 'faults') {
    requireProcessor(verb, name);
    return faultsCommand(name, values, addresses);
  }
  if (verb === 'try-dispute') {
    if (!name) throw usageError('try-dispute needs the id of a payment or of a dispute.');
    return disputeCommand(name, values, addresses);
  }
  requireAccount(verb, name);
  const { simulator_url } = addresses;
  const account = { account: name, mode: 'sandbox' } as const;
  const with_unclear_row = values.unclear === true;
  return { command: 'settle_stand_in', ...account, with_unclear_row, simulator_url };
}

/** As large as a downloaded report may be. */
const REPORT_MEBIBYTES_MAX = 16;

async function reportsCommand(
  account: string,
  mode: Mode | undefined,
  { file, retry, show, acknowledge, reason }: Values,
  read: FileReader,
): Promise<ReportCommand> {
  if (show !== undefined && acknowledge !== undefined)
    return {
      command: 'acknowledge_row',
      id: show,
      line: rowOf(acknowledge),
      note: reasonOf(reason),
    };
  if (show !== undefined) return { command: 'show_report', id: show };
  const name = { account, ...(mode && { mode }) };
  if (file === undefined && !retry) return { command: 'reports', ...(account && { name }) };
  requireAccount('reports', account);
  if (file === undefined) return { command: 'retry_reports', ...name };
  if (file === '-') throw usageError('--file needs the path of the report: its name is stored.');
  const content = await read(file, `--file ${file}`, REPORT_MEBIBYTES_MAX);
  return { command: 'import_report', ...name, report: basename(file), content };
}

/** As long as the server stores of an operator's reason. */
const REASON_MAX = 2_000;

function closeDisputeCommand(id: string, { outcome, reason }: Values): DisputeCommand {
  if (!id) throw usageError(`close-dispute needs a dispute. List them: ${CLI} disputes`);
  if (!isClosingOutcome(outcome))
    throw usageError(`--outcome must be ${closingOutcomes.join(', ')}.`);
  return { command: 'close_dispute', id, outcome, reason: reasonOf(reason) };
}

function reasonOf(reason = ''): string {
  if (!reason.trim()) throw usageError('--reason is missing: add a text that says why.');
  if (reason.length <= REASON_MAX) return reason;
  throw usageError(`--reason must have at most ${REASON_MAX} characters.`);
}

/** Number of a row, as in the file: a header may be row 1. */
function rowOf(text: string): number {
  const row = Number(text);
  if (Number.isInteger(row) && row > 0 && row < 2 ** 31) return row;
  throw usageError('--acknowledge must be the number of a row, as --show prints it.');
}

const isClosingOutcome = (outcome: string | undefined): outcome is ClosingOutcome =>
  closingOutcomes.some((one) => one === outcome);

async function routeCommand(
  mode: Mode,
  facts: readonly string[],
  { file, preview }: Values,
  read: FileReader,
): Promise<ProcessorCommand> {
  if (preview) return { command: 'preview', mode, facts: factsOf(facts) };
  requireNone(...facts);
  if (file === undefined) return { command: 'rules', mode };
  return { command: 'route', mode, rules: parseJson(file, await read(file, `--file ${file}`)) };
}

function factsOf(words: readonly string[]): Readonly<Record<string, unknown>> {
  const facts = Object.fromEntries(words.map((word) => splitPair('--preview', word)));
  const { amount, network_token } = facts;
  return {
    ...facts,
    ...(amount && { amount: Number(amount) }),
    ...(network_token && { network_token: network_token === 'true' }),
  };
}

async function draftOf(processor: string, values: Values, read: FileReader) {
  const { merchant } = values;
  requireProcessor('add', processor);
  return {
    processor,
    mode: requireMode(modeOf(values.mode)),
    ...(merchant && { merchant_id: merchant }),
    ...(await choicesOf(values, read)),
  };
}

/** The members that the options name. An empty value is null, which removes. */
async function choicesOf(values: Values, read: FileReader) {
  const { name, currencies, networks, descriptor, set = [], secret = [] } = values;
  const secrets: Record<string, string | null> = {};
  for (const word of secret) {
    const [field, file] = splitPair('--secret', word);
    // The file's name is not repeated: it may be the secret itself, given by mistake.
    secrets[field] = file ? withoutLineEnd(await read(file, `--secret ${field}`)) : null;
  }
  const settings = set.map((word) => splitPair('--set', word));
  return {
    ...(name !== undefined && { name }),
    ...(currencies !== undefined && { currencies: listOf(currencies) }),
    ...(networks !== undefined && { networks: listOf(networks) }),
    ...(descriptor !== undefined && { descriptor: descriptor || null }),
    settings: Object.fromEntries(settings.map(([field, value]) => [field, value || null])),
    secrets,
  };
}

const listOf = (text: string): readonly string[] | null => (text ? text.split(',') : null);

const withoutLineEnd = (text: string): string => text.replace(/\r?\n$/, '');

/** Splits `FIELD=VALUE`. The message repeats no value, which may be a secret. */
function splitPair(option: string, word: string): readonly [string, string] {
  const [, field, value] = /^(\w{1,100})=(.*)$/s.exec(word) ?? [];
  if (field !== undefined && value !== undefined) return [field, value];
  throw usageError(`${option} needs FIELD=VALUE.`);
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { message } = cause as Error;
    throw new PlainFailure(`--file ${file} is no JSON: ${message}. Correct the file.`, { cause });
  }
}

function modeOf(mode: string | undefined): Mode | undefined {
  if (mode === undefined || mode === 'live' || mode === 'sandbox') return mode;
  throw usageError(`--mode must be live or sandbox; it is ${mode}.`);
}

function requireMode(mode: Mode | undefined): Mode {
  if (mode) return mode;
  throw usageError('--mode is missing: add --mode live or --mode sandbox.');
}

function requireProcessor(verb: string, processor: string): void {
  if (!processor)
    throw usageError(`${verb} needs a processor. List the processors: ${CLI} list --kinds`);
}

function requireAccount(verb: string, name: string): void {
  if (!name) throw usageError(`${verb} needs an account. List the accounts: ${CLI} list`);
}

function requireNone(...words: readonly string[]): void {
  if (words.some(Boolean))
    throw usageError('The command has too many words. Quote a name with spaces.');
}

const usageError = (sentence: string): PlainFailure =>
  new PlainFailure(`${sentence}\nAll commands and options: ${CLI} --help`);

type Values = ReturnType<typeof parse>['values'];

function parse(words: string[]) {
  try {
    return parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        mode: { type: 'string' },
        name: { type: 'string' },
        merchant: { type: 'string' },
        set: { type: 'string', multiple: true },
        secret: { type: 'string', multiple: true },
        currencies: { type: 'string' },
        networks: { type: 'string' },
        descriptor: { type: 'string' },
        file: { type: 'string' },
        preview: { type: 'boolean' },
        kinds: { type: 'boolean' },
        removed: { type: 'boolean' },
        retry: { type: 'boolean' },
        show: { type: 'string' },
        acknowledge: { type: 'string' },
        outcome: { type: 'string' },
        reason: { type: 'string' },
        'give-up-refunds': { type: 'boolean' },
        'dry-run': { type: 'boolean' },
        ...standInOptions,
      },
    });
  } catch (error) {
    throw usageError((error as Error).message);
  }
}
