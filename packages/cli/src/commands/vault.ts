import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { sendVaultCommand } from '../api/vault-command.ts';
import { type CardsCommand, vaultCards } from '../cells/vault-cards.ts';
import { codeOf } from '../database/client.ts';
import { createWhole } from '../kernel/create-whole.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { vaultAdminSocket } from './services.ts';

export const VAULT_USAGE = `       npm run florin -- vault rotate seal [--now] | kek [--merchant ID] [--mode live|sandbox] | root | epoch | due
           replaces keys; decrypts no card, and continues an interrupted rotation
           seal   keys that browsers encrypt cards with; --now activates the next key immediately
           kek    keys of merchants; default: of all merchants and modes
           root   the key that encrypts all other keys
           epoch  keys of stored verification values
           due    every rotation that is due or was interrupted
       npm run florin -- vault destroy card TOKEN --merchant ID --mode MODE | merchant ID --mode MODE | root VERSION
           destroys a card, all cards of a merchant's mode, or an old root key; cannot be undone
       npm run florin -- vault keys
           lists the keys that forms may encrypt cards for, to compare with "pay check --kids"
       npm run florin -- vault limit --merchant ID --mode live|sandbox [--new-cards N|default]
           shows or sets how many new cards a merchant may enter a day
       npm run florin -- vault import open --merchant ID --mode MODE --cards N --until TIME | close --merchant ID --mode MODE
           lets a merchant enter many new cards until a time, such as 2026-12-01T06:00:00Z; the limits then return
       npm run florin -- vault rules list | accept ID [--dry-run] | withdraw ID [--dry-run]
           lists what accounts at processors may send, and accepts or withdraws it; production sends nothing else
       npm run florin -- vault cards receive MERCHANT TICKET | send TICKET FILE [--since TIME] | import FILE RECEIPT
           moves the cards of a merchant from the vault of one cell to that of another; TICKET, FILE and RECEIPT are files
           receive  at the vault that gets the cards: writes a ticket for a one-time key
           send     at the vault that has them: seals them for that key; --since names older ones only
           import   at the vault that gets them: stores them, and writes a receipt for "cell move --cards"
       npm run florin -- vault retire NAME
           removes a vault that no longer exists, so that rotations do not wait for it
       npm run florin -- vault audit export FILE
           writes the signed head of the audit log to a new file
       npm run florin -- vault audit verify [--head FILE]
           verifies the audit log; --head also compares it with an exported head`;

/** A request to the vault's operator socket: path and body. */
export interface VaultCommand {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** File for the returned audit head. */
  readonly head_output?: string;
  /** File with an audit head to compare. */
  readonly head?: string;
}

/** Runs a command in the running vault of a data directory and prints its progress. Resolves with the exit code. */
export async function vault(
  words: string[],
  dataDir: string,
  print: (sentence: string) => void,
): Promise<number> {
  if (words[0] === 'cards') {
    if (await vaultCards(vaultAdminSocket(dataDir), parseCards(words.slice(1)), print)) return 0;
    throw usageError();
  }
  const command = parseVaultCommand(words);
  // Checked before the export: its audit head must be stored before the export is reported.
  if (command.head_output && existsSync(command.head_output))
    throw createWriteFailure(command.head_output, 'EEXIST');
  const socketPath = vaultAdminSocket(dataDir);
  const body = { ...command.body, ...(command.head && { head: await readHead(command.head) }) };
  const { ok, head } = await sendVaultCommand(socketPath, { ...command, body }, print);
  if (command.head_output && head) await writeHeadFile(command.head_output, head);
  return ok ? 0 : 1;
}

async function readHead(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new PlainFailure(`${file} is not a readable audit head.`, { cause });
  }
}

/** An older audit head is evidence and is never overwritten. */
async function writeHeadFile(file: string, head: unknown): Promise<void> {
  try {
    await createWhole(file, `${JSON.stringify(head, null, 2)}\n`);
  } catch (cause) {
    throw createWriteFailure(file, codeOf(cause), cause);
  }
}

function createWriteFailure(file: string, code: string | undefined, cause?: unknown): PlainFailure {
  const reason =
    code === 'EEXIST' ? 'the file exists; give another name' : `${code}; mend that, and repeat`;
  return new PlainFailure(`The audit head cannot be written to ${file}: ${reason}.`, { cause });
}

/** Parses the arguments of a vault command. Throws `PlainFailure` with the usage for invalid arguments. */
export function parseVaultCommand(words: string[]): VaultCommand {
  const { positionals, merchant_id, mode, at_once, dry_run, head, newCards, window } = parse(words);
  const [verb, noun, name, ...rest] = positionals;
  const scope = { ...(merchant_id && { merchant_id }), ...(mode && { mode }) };
  if (rest.length === 0) {
    if (verb === 'rotate' && noun && !name) {
      return { path: '/rotate', body: { key: noun, ...scope, ...(at_once && { at_once }) } };
    }
    if (verb === 'keys' && !noun) return { path: '/keys', body: {} };
    if (verb === 'limit' && !noun) return { path: '/limit', body: { ...scope, ...newCards } };
    if (verb === 'import' && noun === 'open' && !name)
      return { path: '/import/open', body: { ...scope, ...window } };
    if (verb === 'import' && noun === 'close' && !name)
      return { path: '/import/close', body: scope };
    if (verb === 'rules' && noun === 'list' && !name) return { path: '/rules/list', body: {} };
    if (verb === 'rules' && (noun === 'accept' || noun === 'withdraw') && name)
      return { path: `/rules/${noun}`, body: { id: name, ...(dry_run && { dry_run }) } };
    if (verb === 'retire' && noun && !name) return { path: '/retire', body: { name: noun } };
    if (verb === 'audit' && noun === 'verify' && !name) {
      return { path: '/audit/verify', body: {}, ...(head && { head }) };
    }
    if (verb === 'audit' && noun === 'export' && name) {
      return { path: '/audit/export', body: {}, head_output: name };
    }
    const body = verb === 'destroy' && name && destroyBody(noun, name, scope);
    if (body) return { path: '/destroy', body };
  }
  throw usageError();
}

function parseCards(words: string[]): CardsCommand {
  try {
    const options = { since: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args: words, allowPositionals: true, options });
    return { words: positionals, since: values.since };
  } catch {
    throw usageError();
  }
}

const usageError = (): PlainFailure => new PlainFailure(`Usage:\n${VAULT_USAGE}`);

function destroyBody(
  noun: string | undefined,
  name: string,
  scope: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> | undefined {
  switch (noun) {
    case 'card':
      return { card_pan_token: name, ...scope };
    case 'merchant':
      return { ...scope, merchant_id: name };
    case 'root':
      return { root_version: Number(name) };
    default:
      return undefined;
  }
}

function parse(words: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        merchant: { type: 'string' },
        mode: { type: 'string' },
        now: { type: 'boolean' },
        'dry-run': { type: 'boolean' },
        head: { type: 'string' },
        'new-cards': { type: 'string' },
        cards: { type: 'string' },
        until: { type: 'string' },
      },
    });
    const { merchant: merchant_id, mode, now: at_once, head, 'new-cards': limit } = values;
    return {
      positionals,
      merchant_id,
      mode,
      at_once,
      dry_run: values['dry-run'],
      head,
      newCards: limit === undefined ? {} : { new_numbers: limitOf(limit) },
      window: { numbers: toCount(values.cards), until: values.until },
    };
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
