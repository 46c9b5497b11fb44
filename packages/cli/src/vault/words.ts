import { parseArgs } from 'node:util';
import { dryRunPathOf } from '@florin/contract/protocol/vault-admin.ts';
import type { CardsCommand } from '../cells/vault-cards.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';

export const VAULT_USAGE = `       npm run florin -- vault rotate seal [--now] | kek [--merchant ID] [--mode live|sandbox] | root | epoch | due [--dry-run]
           replaces keys; decrypts no card, and continues an interrupted rotation
           seal   keys that browsers encrypt cards with; --now activates the next key immediately
           kek    keys of merchants; default: of all merchants and modes
           root   the key that encrypts all other keys
           epoch  keys of stored verification values
           due    every rotation that is due or was interrupted
       npm run florin -- vault destroy card TOKEN --merchant ID --mode MODE | merchant ID --mode MODE | root VERSION [--dry-run]
           destroys a card, all cards of a merchant's mode, or an old root key; cannot be undone
       npm run florin -- vault keys
           lists the keys that forms may encrypt cards for, to compare with "pay check --kids"
       npm run florin -- vault limit --merchant ID --mode live|sandbox [--new-cards N|default [--dry-run]]
           shows or sets how many new cards a merchant may enter a day
       npm run florin -- vault import open --merchant ID --mode MODE --cards N --until TIME | close --merchant ID --mode MODE [--dry-run]
           lets a merchant enter many new cards until a time, such as 2026-12-01T06:00:00Z; the limits then return
       npm run florin -- vault rules list | accept ID [--dry-run] | withdraw ID [--dry-run]
           lists what accounts at processors may send, and accepts or withdraws it; production sends nothing else
       npm run florin -- vault cards receive MERCHANT TICKET | send TICKET FILE [--since TIME] | import FILE RECEIPT
           moves the cards of a merchant from the vault of one cell to that of another; TICKET, FILE and RECEIPT are files
           receive  at the vault that gets the cards: writes a ticket for a one-time key
           send     at the vault that has them: seals them for that key; --since names older ones only
           import   at the vault that gets them: stores them, and writes a receipt for "cell move --cards"
       npm run florin -- vault retire NAME [--dry-run]
           removes a vault that no longer exists, so that rotations do not wait for it
       npm run florin -- vault audit export FILE
           writes the signed head of the audit log to a new file
       npm run florin -- vault audit verify [--head FILE]
           verifies the audit log; --head also compares it with an exported head
--dry-run prints what the vault would change, or why it refuses, and changes nothing. The audit log gets no entry. No other
command of the vault takes the flag.`;

/** A request to the vault's operator socket: path and body. */
export interface VaultCommand {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** File for the returned audit head. */
  readonly head_output?: string;
  /** File with an audit head to compare. */
  readonly head?: string;
}

const OPTIONS = {
  merchant: { type: 'string' },
  mode: { type: 'string' },
  now: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  head: { type: 'string' },
  'new-cards': { type: 'string' },
  cards: { type: 'string' },
  until: { type: 'string' },
} as const;

type Flag = keyof typeof OPTIONS;
type Flags = ReturnType<typeof parse>['values'];
/** Flags of a command, and its request. `name` is the word after the command's own words. */
interface Form {
  readonly flags: readonly Flag[];
  readonly request: (flags: Flags, name: string) => VaultCommand;
}

const SCOPE = ['merchant', 'mode'] as const;

/** Commands by their words. A command refuses all flags but its own: an ignored `--dry-run` would change something. */
const FORMS: Readonly<Record<string, Form>> = {
  'rotate seal': changing(['now'], ({ now }) => ({
    path: '/rotate',
    body: { key: 'seal', ...(now && { at_once: now }) },
  })),
  'rotate kek': changing(SCOPE, (flags) => ({
    path: '/rotate',
    body: { key: 'kek', ...scopeOf(flags) },
  })),
  ...Object.fromEntries(
    ['root', 'epoch', 'due'].map((key) => [
      `rotate ${key}`,
      changing([], () => ({ path: '/rotate', body: { key } })),
    ]),
  ),
  'destroy card NAME': changing(SCOPE, (flags, token) => ({
    path: '/destroy',
    body: { card_pan_token: token, ...wholeScopeOf(flags) },
  })),
  'destroy merchant NAME': changing(['mode'], (flags, merchant_id) => ({
    path: '/destroy',
    body: { ...scopeOf(flags), merchant_id },
  })),
  'destroy root NAME': changing([], (_flags, version) => ({
    path: '/destroy',
    body: { root_version: Number(version) },
  })),
  'retire NAME': changing([], (_flags, name) => ({ path: '/retire', body: { name } })),
  limit: { flags: [...SCOPE, 'new-cards', 'dry-run'], request: limitRequest },
  'import open': changing([...SCOPE, 'cards', 'until'], ({ cards, until, ...flags }) => ({
    path: '/import/open',
    body: { ...wholeScopeOf(flags), numbers: toCount(cards), until },
  })),
  'import close': changing(SCOPE, (flags) => ({
    path: '/import/close',
    body: wholeScopeOf(flags),
  })),
  'rules list': reading([], '/rules/list'),
  'rules accept NAME': { flags: ['dry-run'], request: rulesRequest('/rules/accept') },
  'rules withdraw NAME': { flags: ['dry-run'], request: rulesRequest('/rules/withdraw') },
  keys: reading([], '/keys'),
  'audit verify': reading(['head'], '/audit/verify'),
  'audit export NAME': {
    flags: [],
    request: (_flags, head_output) => ({ path: '/audit/export', body: {}, head_output }),
  },
};

/** Parses the arguments of a vault command. Throws `PlainFailure` with the usage for invalid arguments. */
export function parseVaultCommand(words: string[]): VaultCommand {
  const { values, positionals } = parse(words);
  const name = positionals.at(-1) ?? '';
  const own = positionals.join(' ');
  const named = [...positionals.slice(0, -1), 'NAME'].join(' ');
  const form = formOf(own) ?? formOf(named);
  if (!form || !isWithin(values, form.flags)) throw usageError();
  return form.request(values, name);
}

const formOf = (words: string): Form | undefined =>
  Object.hasOwn(FORMS, words) ? FORMS[words] : undefined;

const isWithin = (values: Flags, flags: readonly string[]): boolean =>
  Object.keys(values).every((flag) => flags.includes(flag));

/** A command that changes something, and so takes `--dry-run`. */
function changing(flags: readonly Flag[], request: Form['request']): Form {
  return {
    flags: [...flags, 'dry-run'],
    request: (values, name) => {
      const command = request(values, name);
      return values['dry-run'] ? { ...command, path: dryRunPathOf(command.path) } : command;
    },
  };
}

function reading(flags: readonly Flag[], path: string): Form {
  return { flags, request: ({ head }) => ({ path, body: {}, ...(head && { head }) }) };
}

/** Without a number, the command only reads, and `--dry-run` makes no sense. */
function limitRequest({ 'new-cards': limit, ...flags }: Flags, name: string): VaultCommand {
  if (limit === undefined && flags['dry-run']) throw usageError();
  const new_numbers = limit === undefined ? {} : { new_numbers: limitOf(limit) };
  const form = changing([], () => ({
    path: '/limit',
    body: { ...wholeScopeOf(flags), ...new_numbers },
  }));
  return form.request(flags, name);
}

function rulesRequest(path: string): Form['request'] {
  return ({ 'dry-run': dry_run }, id) => ({ path, body: { id, ...(dry_run && { dry_run }) } });
}

const scopeOf = ({ merchant, mode }: Flags) => ({
  ...(merchant && { merchant_id: merchant }),
  ...(mode && { mode }),
});

/** The scope of a command that is about one merchant and mode. */
function wholeScopeOf(flags: Flags) {
  for (const name of SCOPE)
    if (!flags[name]) throw new PlainFailure(`--${name} is missing.\nUsage:\n${VAULT_USAGE}`);
  return scopeOf(flags);
}

/** Parses the arguments of `vault cards`. Throws `PlainFailure` with the usage for invalid arguments. */
export function parseCards(words: string[]): CardsCommand {
  try {
    const options = { since: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args: words, allowPositionals: true, options });
    return { words: positionals, since: values.since };
  } catch {
    throw usageError();
  }
}

export const usageError = (): PlainFailure => new PlainFailure(`Usage:\n${VAULT_USAGE}`);

function parse(words: string[]) {
  try {
    return parseArgs({ args: words, allowPositionals: true, options: OPTIONS });
  } catch {
    throw usageError();
  }
}

const limitOf = (text: string): number | 'default' => (text === 'default' ? text : toCount(text));

/** Refuses texts such as `20k`: as `null` in JSON, the number would be lost. Undefined stays so. */
function toCount(text: string): number;
function toCount(text: string | undefined): number | undefined;
function toCount(text: string | undefined): number | undefined {
  if (text !== undefined && !/^\d+$/.test(text)) throw usageError();
  return text === undefined ? undefined : Number(text);
}
